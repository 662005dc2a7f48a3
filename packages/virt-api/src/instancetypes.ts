/** The instancetype and preference that a VM names: found, and merged into its template. */
import {
  type ControllerRevision,
  type Expansion,
  expandVmiSpec,
  type InstancetypeMatcher,
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
  matcher: InstancetypeMatcher | undefined | null,
  namespace: string,
  client: Reader,
  signal?: AbortSignal,
): Promise<unknown> {
  if (matcher === undefined || matcher === null) return undefined;
  if (matcher.revisionName) {
    const key = { namespace, name: matcher.revisionName };
    const revision: ControllerRevision | undefined = await client.find(
      resources.controllerRevisions,
      key,
      signal,
    );
    if (revision === undefined) {
      throw new ExpansionError(field, `controllerrevisions.apps "${matcher.revisionName}" not found`);
    }
    return (revision.data as Selected | undefined)?.spec;
  }
  const resource = resourceOf(field, matcher.kind);
  const name = matcher.name ?? '';
  const found = await client.find(resource, resource.namespaced ? { namespace, name } : { name }, signal);
  if (found === undefined)
    throw new ExpansionError(field, `${resource.plural}.${resource.group} "${name}" not found`);
  return found.spec;
}

/** The matcher with the revision that the VM captured when it was first seen: that is what it runs with. */
function withCapture(vm: VirtualMachine, field: Field): InstancetypeMatcher | undefined {
  const matcher = vm.spec[field];
  const ref = vm.status?.[`${field}Ref`];
  const revisionName = ref?.controllerRevisionRef?.name;
  if (!matcher || matcher.revisionName || !revisionName || ref?.name !== matcher.name) return matcher;
  const kind = matcher.kind ?? `virtualmachinecluster${field}`;
  return (ref.kind ?? '').toLowerCase() === kind.toLowerCase() ? { ...matcher, revisionName } : matcher;
}

/** What the VM's matchers select. Throws ExpansionError. */
export async function findExpansion(
  vm: VirtualMachine,
  namespace: string,
  client: Reader,
  signal?: AbortSignal,
): Promise<Expansion> {
  const [instancetype, preference] = await Promise.all([
    findSpec('instancetype', withCapture(vm, 'instancetype'), namespace, client, signal),
    findSpec('preference', withCapture(vm, 'preference'), namespace, client, signal),
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
