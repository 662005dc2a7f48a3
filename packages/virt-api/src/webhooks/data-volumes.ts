/**
 * DataVolumes where they are ours: one storage and one source, as CDI wants it; what they are filled from may not
 * change; and who clones from another namespace must be allowed to read it there, which is noted on the DataVolume
 * (`clone-pin.ts`): who fills it goes by that note, because a DataSource can lead elsewhere a moment later.
 * virt-controller asks the last question itself, in the name of a VM's service account, before it creates one.
 */
import {
  annotations,
  clonePinFor,
  clonePinOf,
  type CloneSource,
  type CloneSpec,
  cloneSourceOf,
  type KubernetesObject,
  mayClone,
  refusal,
  serviceAccounts,
  serviceAccountUser,
  withClonePin,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import type { Webhook, WebhookContext } from './context.ts';
import { diff } from './diff.ts';
import type { AdmissionRequest } from './review.ts';

type Fields = Readonly<Record<string, unknown>>;

export const validateDataVolume: Webhook = async (request, context) => {
  const problem = await problemOf(request, context);
  return problem === undefined
    ? { kind: 'validated', allowed: true, causes: [], message: '', code: 200, warnings: [] }
    : { kind: 'validated', ...refusal(problem, 403) };
};

/** Notes from which other namespace it is filled, for who fills it; the validator, which comes after, asks for the right. */
export const mutateDataVolume: Webhook = async (request, context) => {
  const object = request.object as KubernetesObject | undefined;
  if (object === undefined || isController(request, context))
    return { kind: 'mutated', patch: [], warnings: [] };
  const source = await foreignSource(fieldsAt(object, 'spec'), request, context);
  return {
    kind: 'mutated',
    patch: diff(object, withClonePin(object, source)),
    warnings: [],
  };
};

async function problemOf(request: AdmissionRequest, context: WebhookContext): Promise<string | undefined> {
  const spec = fieldsAt(request.object, 'spec');
  if (request.operation === 'UPDATE') {
    const noted = clonePinOf(request.object as KubernetesObject);
    if (noted !== undefined && noted !== clonePinOf(request.oldObject as KubernetesObject))
      return `Cannot change the annotation ${annotations.cloneAllowedFrom} of a DataVolume`;
    return deepEqual(spec, fieldsAt(request.oldObject, 'spec')) ? undefined : 'Cannot update DataVolume Spec';
  }
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
  request: AdmissionRequest,
  context: WebhookContext,
): Promise<string | undefined> {
  const { user, userGroups, userExtra } = request;
  if (isController(request, context)) return undefined;
  const source = await foreignSource(spec, request, context);
  const noted = clonePinOf(request.object as KubernetesObject);
  if (noted !== (source && clonePinFor(source)))
    return 'what the DataVolume is filled from changed while it was made; make it again';
  if (source === undefined) return undefined;
  const subject = { user, groups: userGroups, extra: userExtra };
  if (await mayClone(source, (right) => context.isAllowed(subject, right))) return undefined;
  return `User ${user} has insufficient permissions in clone source namespace ${source.namespace}`;
}

/** It has asked the question itself, or noted that nobody did. */
function isController({ user }: AdmissionRequest, { namespace }: WebhookContext): boolean {
  return user === serviceAccountUser(namespace, serviceAccounts.controller);
}

/** What of another namespace it is filled from. */
async function foreignSource(
  spec: Fields,
  { namespace }: AdmissionRequest,
  context: WebhookContext,
): Promise<CloneSource | undefined> {
  const source = await cloneSourceOf(spec as CloneSpec, namespace, async (where, name) => {
    const found = await context.findDataSource(where, name);
    return found?.spec.source;
  });
  return source?.namespace === namespace ? undefined : source;
}

function fieldsAt(object: unknown, key: string): Fields {
  const value: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, key) : undefined;
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
