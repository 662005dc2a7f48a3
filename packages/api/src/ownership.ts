/**
 * Who owns what. A reference of an owner is a claim of whoever wrote the object: it counts only when it is the
 * managing one and names the owner whole — group, kind, name and UID — and when both are in the same namespace. A UID
 * alone is no secret, and a name alone may be another's by now.
 */
import { labels } from './names.ts';
import type { KubernetesObject, OwnerReference, Pod, VirtualMachineInstance } from './types/index.ts';

/** A kind of owner; objects out of a list do not tell theirs. Versions of a group are one kind. */
export interface OwnerKind {
  readonly group: string;
  readonly kind: string;
}

export const ownerKinds = {
  pod: { group: '', kind: 'Pod' },
  vm: { group: 'kubevirt.io', kind: 'VirtualMachine' },
  vmi: { group: 'kubevirt.io', kind: 'VirtualMachineInstance' },
  replicaSet: { group: 'kubevirt.io', kind: 'VirtualMachineInstanceReplicaSet' },
  pool: { group: 'pool.kubevirt.io', kind: 'VirtualMachinePool' },
  backup: { group: 'backup.kubevirt.io', kind: 'VirtualMachineBackup' },
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

/** True when `owner`, which is of this kind, manages `object`. */
export function isControlledBy(object: KubernetesObject, owner: KubernetesObject, kind: OwnerKind): boolean {
  const { namespace, name, uid } = owner.metadata ?? {};
  const reference = controllerOfKind(object, kind);
  return (
    uid !== undefined &&
    reference?.uid === uid &&
    reference.name === name &&
    object.metadata?.namespace === namespace
  );
}

/**
 * True when the Pod says in every place that it was made to run this VMI. That it was virt-controller who said so is
 * admission's to see (`/pods-validate`) and virt-controller's to remember (`watch/vmi/own-pods.ts`).
 */
export function isLauncherOf(pod: Pod, vmi: VirtualMachineInstance): boolean {
  const isMarked = pod.metadata.labels?.[labels.createdBy] === vmi.metadata?.uid;
  return isMarked && isControlledBy(pod, vmi, ownerKinds.vmi);
}

function isOfKind({ apiVersion, kind }: OwnerReference, owner: OwnerKind): boolean {
  const [, group = ''] = /^([^/]+)\//.exec(apiVersion) ?? [];
  return kind === owner.kind && group === owner.group;
}
