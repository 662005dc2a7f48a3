/**
 * The instancetype and preference of a VM. What a VM selects is captured in a ControllerRevision when the VM
 * is first seen: later edits of the instancetype do not reach it until it is pointed elsewhere. Pure.
 */
import type {
  ControllerRevision,
  InstancetypeMatcher,
  InstancetypeStatusRef,
  KubernetesObject,
  VirtualMachine,
} from '@podvisor/api';
import { defineResource, type Resource } from '@podvisor/kube';
import { controllerReference } from '../ownership.ts';

export type MatcherField = 'instancetype' | 'preference';
export const MATCHER_FIELDS: readonly MatcherField[] = ['instancetype', 'preference'];

/** Instancetypes and preferences differ in their specs only; which is which follows from the field. */
export interface Selected extends KubernetesObject {
  readonly spec: unknown;
}

const VERSION = 'v1beta1';
const GROUP_VERSION = `instancetype.kubevirt.io/${VERSION}`;

/** Names that a matcher may give, singular and plural, in any case; none means the cluster-wide kind. */
export function matcherResource(
  field: MatcherField,
  kind: string | undefined,
): Resource<Selected> | undefined {
  const base = field === 'instancetype' ? 'Instancetype' : 'Preference';
  const name = (kind ?? '').toLowerCase().replace(/s$/, '');
  if (name === `virtualmachine${field}`) {
    return defineResource(`VirtualMachine${base}`, `virtualmachine${field}s`, GROUP_VERSION);
  }
  if (name !== '' && name !== `virtualmachinecluster${field}`) return undefined;
  return defineResource(
    `VirtualMachineCluster${base}`,
    `virtualmachinecluster${field}s`,
    GROUP_VERSION,
    'Cluster',
  );
}

/** The revision that already holds what the matcher selects, if it was captured. */
export function capturedRevision(vm: VirtualMachine, field: MatcherField): string | undefined {
  const matcher = vm.spec[field];
  if (matcher?.revisionName) return matcher.revisionName;
  const ref = vm.status?.[`${field}Ref`];
  const same =
    ref?.name === matcher?.name && (ref?.kind ?? '').toLowerCase() === kindOf(field, matcher).toLowerCase();
  return same ? ref?.controllerRevisionRef?.name : undefined;
}

function kindOf(field: MatcherField, matcher: InstancetypeMatcher | undefined): string {
  return matcher?.kind ?? `virtualmachinecluster${field}`;
}

export function refTo(
  field: MatcherField,
  matcher: InstancetypeMatcher,
  revision: string,
): InstancetypeStatusRef {
  return { name: matcher.name, kind: kindOf(field, matcher), controllerRevisionRef: { name: revision } };
}

/** The copy of `object` that belongs to the VM. */
export function captureOf(vm: VirtualMachine, object: Selected, kind: string): ControllerRevision {
  const { name = '', uid = '', generation = 0 } = object.metadata ?? {};
  const label = (key: string): string => `instancetype.kubevirt.io/object-${key}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${vm.metadata?.name}-${name}-${VERSION}-${uid}-${generation}`,
      namespace: vm.metadata?.namespace,
      labels: {
        [label('generation')]: String(generation),
        [label('kind')]: kind,
        [label('name')]: name,
        [label('uid')]: uid,
        [label('version')]: VERSION,
      },
      ownerReferences: [controllerReference(vm, 'kubevirt.io/v1', 'VirtualMachine')],
    },
    data: { apiVersion: GROUP_VERSION, kind, metadata: { name, uid, generation }, spec: object.spec },
    revision: 0,
  };
}

/** Annotations of a VMI that say what it was made from. */
export function originAnnotations({ spec }: VirtualMachine): Readonly<Record<string, string>> {
  const entries = MATCHER_FIELDS.flatMap((field): [string, string][] => {
    const matcher = spec[field];
    if (matcher?.name === undefined) return [];
    const cluster = matcherResource(field, matcher.kind)?.namespaced === false;
    return [[`kubevirt.io/${cluster ? 'cluster-' : ''}${field}-name`, matcher.name]];
  });
  return Object.fromEntries(entries);
}
