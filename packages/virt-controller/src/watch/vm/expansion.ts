/** Finds what a VM's matchers select, captures it, and merges it into the template. */
import {
  type ControllerRevision,
  type Expansion,
  expandVmiSpec,
  type InstancetypeStatusRef,
  type VirtualMachine,
  type VMITemplate,
} from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import type { SyncProblem } from './conditions.ts';
import {
  capturedRevision,
  captureOf,
  MATCHER_FIELDS,
  type MatcherField,
  matcherResource,
  refTo,
  type Selected,
} from './instancetype.ts';

export type ExpandedTemplate =
  | {
      readonly kind: 'template';
      readonly template: VMITemplate;
      /** What goes into the VM's status. */
      readonly refs: Partial<Record<`${MatcherField}Ref`, InstancetypeStatusRef>>;
      /** The template takes the place of the VM's own, and its matchers go (`referencePolicy: expand`). */
      readonly replacesSpec?: boolean;
    }
  | { readonly kind: 'problem'; readonly problem: SyncProblem };

type Client = Pick<KubeClient, 'find' | 'create'>;

/**
 * The template to start from. A VM without matchers costs no request. With `capture`, what is selected is kept
 * in a revision; without, the template itself is going to keep it.
 */
export async function expandTemplate(
  vm: VirtualMachine,
  client: Client,
  signal: AbortSignal,
  capture = true,
): Promise<ExpandedTemplate> {
  const { template } = vm.spec;
  const specs: Partial<Record<MatcherField, unknown>> = {};
  const refs: Partial<Record<`${MatcherField}Ref`, InstancetypeStatusRef>> = {};
  for (const field of MATCHER_FIELDS) {
    const matcher = vm.spec[field];
    if (matcher === undefined || matcher === null) continue;
    const revision = await findOrCapture(vm, field, client, capture, signal);
    if (typeof revision === 'string') return notFound(field, revision);
    specs[field] = (revision.data as Selected | undefined)?.spec;
    if (capture) refs[`${field}Ref`] = refTo(field, matcher, revision.metadata?.name ?? '');
  }
  if (Object.keys(specs).length === 0 || template?.spec === undefined)
    return { kind: 'template', template, refs };
  // The API server has checked both against their schemas when they were stored.
  const result = expandVmiSpec(template.spec, template.metadata ?? {}, specs as Expansion);
  if (result.kind === 'expanded') {
    const { labels, annotations } = result.metadata;
    return {
      kind: 'template',
      template: { metadata: { ...template.metadata, labels, annotations }, spec: result.spec },
      refs,
      ...(capture ? {} : { replacesSpec: true }),
    };
  }
  const message = `VM field(s) ${result.paths.join(', ')} conflicts with selected instance type`;
  return { kind: 'problem', problem: { reason: 'FailedCreate', message } };
}

/** The captured revision, or the sentence that says what is missing. */
async function findOrCapture(
  vm: VirtualMachine,
  field: MatcherField,
  client: Client,
  capture: boolean,
  signal: AbortSignal,
): Promise<ControllerRevision | string> {
  const namespace = vm.metadata?.namespace;
  const matcher = vm.spec[field];
  const captured = capturedRevision(vm, field);
  const known =
    captured === undefined
      ? undefined
      : await client.find(resources.controllerRevisions, { namespace, name: captured }, signal);
  if (known !== undefined) return known;
  if (matcher?.revisionName) return `controllerrevisions.apps "${matcher.revisionName}" not found`;
  const resource = matcherResource(field, matcher?.kind);
  if (resource === undefined) return `got unexpected kind in ${field}: ${matcher?.kind}`;
  const name = matcher?.name ?? '';
  const object = await client.find(resource, resource.namespaced ? { namespace, name } : { name }, signal);
  if (object === undefined) return `${resource.plural}.${resource.group} "${name}" not found`;
  const revision = captureOf(vm, object, resource.kind);
  if (!capture) return revision;
  try {
    return await client.create(resources.controllerRevisions, revision, {}, signal);
  } catch (error) {
    if (!isStatus(error, 'AlreadyExists')) throw error;
    return revision;
  }
}

function notFound(field: MatcherField, message: string): ExpandedTemplate {
  const reason = field === 'instancetype' ? 'FailedFindInstancetype' : 'FailedFindPreference';
  return { kind: 'problem', problem: { reason, message } };
}
