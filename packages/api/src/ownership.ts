/**
 * Who owns what. A reference of an owner is a claim of whoever wrote the object: it counts only when it is the
 * managing one and names the owner whole — group, kind, name and UID — and when both are in the same namespace. A UID
 * alone is no secret, and a name alone may be another's by now.
 *
 * Nobody else reads `ownerReferences` to decide something (`test/static/owner-references.test.ts`). What is named *said*
 * here gives the claim as it stands: good for finding candidates, for words, and for whom to wake.
 */
import { deepEqual } from '@podvisor/base';
import { labels } from './names.ts';
import type { KubernetesObject, OwnerReference, Pod, VirtualMachineInstance } from './types/index.ts';

/** A kind of owner; objects out of a list do not tell theirs. Versions of a group are one kind. */
export interface OwnerKind {
  readonly group: string;
  readonly kind: string;
}

export const ownerKinds = {
  pod: { group: '', kind: 'Pod' },
  claim: { group: '', kind: 'PersistentVolumeClaim' },
  dataVolume: { group: 'cdi.kubevirt.io', kind: 'DataVolume' },
  vm: { group: 'kubevirt.io', kind: 'VirtualMachine' },
  vmi: { group: 'kubevirt.io', kind: 'VirtualMachineInstance' },
  replicaSet: { group: 'kubevirt.io', kind: 'VirtualMachineInstanceReplicaSet' },
  pool: { group: 'pool.kubevirt.io', kind: 'VirtualMachinePool' },
  backup: { group: 'backup.kubevirt.io', kind: 'VirtualMachineBackup' },
  export: { group: 'export.kubevirt.io', kind: 'VirtualMachineExport' },
} as const satisfies Readonly<Record<string, OwnerKind>>;

/** The owner that manages this object, if any. */
export function controllerOf(object: KubernetesObject): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find((ref) => ref.controller === true);
}

/** The managing owner, if it is of this kind. */
export function controllerOfKind(object: KubernetesObject, owner: OwnerKind): OwnerReference | undefined {
  const reference = controllerOf(object);
  return reference !== undefined && isOfKind(reference, owner) ? reference : undefined;
}

/** `namespace/name` of the managing owner, if it is of this kind: where to look for it, and whom to wake. */
export function controllerKey(object: KubernetesObject, kind: OwnerKind): string | undefined {
  const reference = controllerOfKind(object, kind);
  return reference === undefined ? undefined : `${object.metadata?.namespace}/${reference.name}`;
}

/** The managing owner itself, where `find` has it by that key and it is the very one that is named. */
export function foundController<T extends KubernetesObject>(
  object: KubernetesObject,
  kind: OwnerKind,
  find: (key: string) => T | undefined,
): T | undefined {
  const key = controllerKey(object, kind);
  const owner = key === undefined ? undefined : find(key);
  return owner !== undefined && isControlledBy(object, owner, kind) ? owner : undefined;
}

/** True when `owner`, which is of this kind, manages `object`. */
export function isControlledBy(object: KubernetesObject, owner: KubernetesObject, kind: OwnerKind): boolean {
  const reference = controllerOfKind(object, kind);
  return reference !== undefined && isNamedBy(reference, object, owner);
}

/** True when `owner`, which is of this kind, owns `object`, whether or not it manages it. */
export function isOwnedBy(object: KubernetesObject, owner: KubernetesObject, kind: OwnerKind): boolean {
  return saidOwners(object, kind).some((reference) => isNamedBy(reference, object, owner));
}

/** What the object says of owners of this kind; without one, of all. */
export function saidOwners(object: KubernetesObject, kind?: OwnerKind): readonly OwnerReference[] {
  const all = object.metadata?.ownerReferences ?? [];
  return kind === undefined ? all : all.filter((reference) => isOfKind(reference, kind));
}

/** UIDs that the object says are its owners', for an index of candidates: who uses it compares the whole. */
export function saidOwnerUids(object: KubernetesObject): readonly string[] {
  return saidOwners(object).map(({ uid }) => uid);
}

/** Both say the same of their owners. */
export function saySameOwners(a: KubernetesObject | undefined, b: KubernetesObject | undefined): boolean {
  return deepEqual(a?.metadata?.ownerReferences ?? [], b?.metadata?.ownerReferences ?? []);
}

/** The references for a patch that lets `owner` go. */
export function withoutOwner(object: KubernetesObject, owner: KubernetesObject): readonly OwnerReference[] {
  return saidOwners(object).filter(({ uid }) => uid !== owner.metadata?.uid);
}

/** The references for a patch that makes the one of `reference` an owner. */
export function withOwner(object: KubernetesObject, reference: OwnerReference): readonly OwnerReference[] {
  return [...saidOwners(object).filter(({ uid }) => uid !== reference.uid), reference];
}

/**
 * True when the Pod says in every place that it was made to run this VMI. That it was virt-controller who said so is
 * admission's to see (`/pods-validate`) and virt-controller's to remember (`watch/vmi/own-pods.ts`).
 */
export function isLauncherOf(pod: Pod, vmi: VirtualMachineInstance): boolean {
  const isMarked = pod.metadata.labels?.[labels.createdBy] === vmi.metadata?.uid;
  return isMarked && isControlledBy(pod, vmi, ownerKinds.vmi);
}

function isNamedBy(reference: OwnerReference, object: KubernetesObject, owner: KubernetesObject): boolean {
  const { namespace, name, uid } = owner.metadata ?? {};
  return (
    uid !== undefined &&
    reference.uid === uid &&
    reference.name === name &&
    object.metadata?.namespace === namespace
  );
}

function isOfKind({ apiVersion, kind }: OwnerReference, owner: OwnerKind): boolean {
  const [, group = ''] = /^([^/]+)\//.exec(apiVersion) ?? [];
  return kind === owner.kind && group === owner.group;
}
