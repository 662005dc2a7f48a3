/**
 * DataVolumes where they are ours: one storage and one source, as CDI wants it; what they are filled from may not
 * change; and who clones from another namespace must be allowed to read it there. virt-controller asks the last
 * question itself, in the name of a VM's service account, before it creates one.
 */
import {
  type CloneSpec,
  cloneSourceOf,
  mayClone,
  refusal,
  serviceAccounts,
  serviceAccountUser,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import type { Webhook, WebhookContext } from './context.ts';
import type { AdmissionRequest } from './review.ts';

type Fields = Readonly<Record<string, unknown>>;

export const validateDataVolume: Webhook = async (request, context) => {
  const problem = await problemOf(request, context);
  return problem === undefined
    ? { kind: 'validated', allowed: true, causes: [], message: '', code: 200, warnings: [] }
    : { kind: 'validated', ...refusal(problem, 403) };
};

async function problemOf(request: AdmissionRequest, context: WebhookContext): Promise<string | undefined> {
  const spec = fieldsAt(request.object, 'spec');
  if (request.operation === 'UPDATE')
    return deepEqual(spec, fieldsAt(request.oldObject, 'spec')) ? undefined : 'Cannot update DataVolume Spec';
  return shapeProblem(spec) ?? (await sourceProblem(spec, request, context));
}

/** One storage, one source. */
function shapeProblem(spec: Fields): string | undefined {
  const has = (key: string): boolean => spec[key] !== undefined && spec[key] !== null;
  if (has('pvc') && has('storage'))
    return 'Duplicate storage definition, both target storage and target pvc defined';
  if (!has('pvc') && !has('storage')) return 'Missing Data volume PVC';
  if (has('source') && has('sourceRef'))
    return 'DataVolume should have either Source or SourceRef, or be externally populated';
  const filled = fieldsAt(spec, has('pvc') ? 'pvc' : 'storage');
  const external = filled['dataSource'] !== undefined || filled['dataSourceRef'] !== undefined;
  if (!has('source') && !has('sourceRef'))
    return external
      ? undefined
      : 'DataVolume should have either Source or SourceRef, or be externally populated';
  const sources = Object.keys(fieldsAt(spec, 'source')).length;
  if (has('source') && sources !== 1)
    return sources === 0 ? 'Missing Data volume source' : 'Multiple Data volume sources';
  const kind = fieldsAt(spec, 'sourceRef')['kind'];
  if (has('sourceRef') && kind !== 'DataSource')
    return `Unsupported sourceRef kind ${String(kind)}, currently only DataSource is supported`;
  return undefined;
}

async function sourceProblem(
  spec: Fields,
  { namespace, user, userGroups, userExtra }: AdmissionRequest,
  context: WebhookContext,
): Promise<string | undefined> {
  if (user === serviceAccountUser(context.namespace, serviceAccounts.controller)) return undefined;
  const source = await cloneSourceOf(spec as CloneSpec, namespace, async (where, name) => {
    const found = await context.findDataSource(where, name);
    return found?.spec.source;
  });
  if (source === undefined || source.namespace === namespace) return undefined;
  const subject = { user, groups: userGroups, extra: userExtra };
  if (await mayClone(source, (right) => context.isAllowed(subject, right))) return undefined;
  return `User ${user} has insufficient permissions in clone source namespace ${source.namespace}`;
}

function fieldsAt(object: unknown, key: string): Fields {
  const value: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, key) : undefined;
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
