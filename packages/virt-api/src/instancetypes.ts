/** The instancetype and preference that a VM names: found, and merged into its template. */
import {
  type ControllerRevision,
  type Expansion,
  expandVmiSpec,
  type KubernetesObject,
  type VirtualMachine,
} from '@podvisor/api';
import { defineResource, type KubeClient, type Resource, resources } from '@podvisor/kube';

type Field = 'instancetype' | 'preference';
type Reader = Pick<KubeClient, 'find'>;

/** Instancetypes and preferences differ in their specs only; which is which follows from the field. */
interface Selected extends KubernetesObject {
  readonly spec: unknown;
}

/** A VM names something that is not there, or that cannot be merged. `field` is to blame. */
export class ExpansionError extends Error {
  readonly field: Field;
  /** Paths of fields that the instancetype owns; empty when something was not found. */
  readonly conflicts: readonly string[];

  constructor(field: Field, message: string, conflicts: readonly string[] = []) {
    super(message);
    this.name = 'ExpansionError';
    this.field = field;
    this.conflicts = conflicts;
  }
}

const GROUP_VERSION = 'instancetype.kubevirt.io/v1beta1';
/** Label of a revision: the name of the object that it holds. */
const OBJECT_NAME = 'instancetype.kubevirt.io/object-name';

/** Names that a matcher may give, singular and plural, in any case; none means the cluster-wide kind. */
function resourceOf(field: Field, kind: string | undefined): Resource<Selected> {
  const base = field === 'instancetype' ? 'Instancetype' : 'Preference';
  const name = (kind ?? '').toLowerCase().replace(/s$/, '');
  if (name === `virtualmachine${field}`) {
    return defineResource(`VirtualMachine${base}`, `virtualmachine${field}s`, GROUP_VERSION);
  }
  if (name === '' || name === `virtualmachinecluster${field}`) {
    return defineResource(
      `VirtualMachineCluster${base}`,
      `virtualmachinecluster${field}s`,
      GROUP_VERSION,
      'Cluster',
    );
  }
  throw new ExpansionError(field, `got unexpected kind in ${base}Matcher: ${kind}`);
}

async function findSpec(
  field: Field,
  vm: VirtualMachine,
  namespace: string,
  client: Reader,
  signal?: AbortSignal,
): Promise<unknown> {
  const matcher = vm.spec[field];
  if (matcher === undefined || matcher === null) return undefined;
  const { revisionName } = matcher;
  const revision = revisionName
    ? await findRevision(field, revisionName, namespace, client, signal)
    : await findCapture(field, vm, namespace, client, signal);
  if (revision !== undefined) return (revision.data as Selected | undefined)?.spec;
  const resource = resourceOf(field, matcher.kind);
  const name = matcher.name ?? '';
  const found = await client.find(resource, resource.namespaced ? { namespace, name } : { name }, signal);
  if (found === undefined)
    throw new ExpansionError(field, `${resource.plural}.${resource.group} "${name}" not found`);
  return found.spec;
}

async function findRevision(
  field: Field,
  name: string,
  namespace: string,
  client: Reader,
  signal?: AbortSignal,
): Promise<ControllerRevision> {
  const revision: ControllerRevision | undefined = await client.find(
    resources.controllerRevisions,
    { namespace, name },
    signal,
  );
  if (revision === undefined) throw new ExpansionError(field, `controllerrevisions.apps "${name}" not found`);
  return revision;
}

/**
 * What the VM captured when it was first seen: that is what it runs with. By KubeVirt's rule it counts as long as the
 * name is the same, also for a matcher that was pointed to another kind and of which nothing is captured yet.
 */
async function findCapture(
  field: Field,
  { spec, status }: VirtualMachine,
  namespace: string,
  client: Reader,
  signal?: AbortSignal,
): Promise<ControllerRevision | undefined> {
  const ref = status?.[`${field}Ref`];
  const captured = ref?.controllerRevisionRef?.name;
  if (!captured) return undefined;
  const revision = await findRevision(field, captured, namespace, client, signal);
  // Revisions that old versions made say nothing of their object.
  const name = revision.metadata?.labels?.[OBJECT_NAME] ?? ref?.name;
  return name === spec[field]?.name ? revision : undefined;
}

/** What the VM's matchers select. Throws ExpansionError. */
export async function findExpansion(
  vm: VirtualMachine,
  namespace: string,
  client: Reader,
  signal?: AbortSignal,
): Promise<Expansion> {
  const [instancetype, preference] = await Promise.all([
    findSpec('instancetype', vm, namespace, client, signal),
    findSpec('preference', vm, namespace, client, signal),
  ]);
  // The API server has checked both against their schemas when they were stored.
  return { instancetype, preference } as Expansion;
}

/** The VM with everything merged into its template, and without matchers. Throws ExpansionError. */
export function expandVm(vm: VirtualMachine, expansion: Expansion): VirtualMachine {
  const template = vm.spec.template;
  if (template?.spec === undefined) return vm;
  const result = expandVmiSpec(template.spec, template.metadata ?? {}, expansion);
  if (result.kind === 'conflict') {
    const message = `VM field(s) ${result.paths.join(', ')} conflicts with selected instance type`;
    throw new ExpansionError('instancetype', message, result.paths);
  }
  const { instancetype: _instancetype, preference: _preference, ...spec } = vm.spec;
  const metadata = Object.keys(result.metadata).length === 0 ? template.metadata : result.metadata;
  return { ...vm, spec: { ...spec, template: { ...template, metadata, spec: result.spec } } };
}

/** True when the VM has something to merge. */
export function hasMatchers({ spec }: Partial<VirtualMachine>): boolean {
  return (spec?.instancetype ?? spec?.preference ?? undefined) !== undefined;
}
