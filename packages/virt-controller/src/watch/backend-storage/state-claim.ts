/**
 * The small claim that keeps what firmware and TPM of a VM remember, and which blocks of its disks have changed,
 * beyond the life of its Pods. Pure.
 */
import {
  type ClusterConfig,
  labels,
  type PersistentVolumeClaim,
  tracksChanges,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { controllerOfKind, ownerKinds } from '../ownership.ts';
import { nameSuffix } from '../vmi/pod-name.ts';

/** On a claim whose state counts: the VM's name. */
export const STATE_LABEL = labels.persistentStateFor;
const SIZE = '10Mi';
/** With room for bitmaps: five disks of 500 Gi with ten each. */
const SIZE_WITH_BITMAPS = '522Mi';

/** Whether the VMI has something to remember. */
export function keepsState(vmi: VirtualMachineInstance): boolean {
  const { devices, firmware } = vmi.spec.domain;
  return (
    tracksChanges(vmi) || devices.tpm?.persistent === true || firmware?.bootloader?.efi?.persistent === true
  );
}

/** The first one of a VM: the same for all its VMIs. Undefined when nothing is kept. */
export function stateClaimName(vmi: VirtualMachineInstance): string | undefined {
  return keepsState(vmi) ? claimNameFor(vmi.metadata?.name, stateOwner(vmi)) : undefined;
}

/** UID of who keeps the state: the VM, or a VMI that has none. */
export function stateOwner(vmi: VirtualMachineInstance): string {
  return (controllerOfKind(vmi, ownerKinds.vm) ?? vmi.metadata)?.uid ?? '';
}

/**
 * The claim that has the state now; a restart finds it again. Each move of the guest may have left another one
 * (`hand-over.ts`): of those with the label, the youngest. `owned`: claims of the VM, or of a VMI that has none.
 */
export function currentStateClaim(
  vmi: VirtualMachineInstance,
  owned: readonly PersistentVolumeClaim[],
): string | undefined {
  if (!keepsState(vmi)) return undefined;
  const isKept = ({ metadata }: PersistentVolumeClaim): boolean =>
    metadata.labels?.[STATE_LABEL] !== undefined && metadata.deletionTimestamp === undefined;
  const age = ({ metadata }: PersistentVolumeClaim): string => metadata.creationTimestamp ?? '';
  const [youngest] = owned.filter(isKept).toSorted((a, b) => age(b).localeCompare(age(a)));
  return youngest?.metadata.name ?? stateClaimName(vmi);
}

/** A claim of this VMI's state, made for something with this UID. */
export function claimNameFor(vmi: string | undefined, uid: string): string {
  return `${STATE_LABEL}-${vmi}-${nameSuffix(uid)}`;
}

/** It goes with the VM, or with a VMI that has none. */
export function buildStateClaim(
  vmi: VirtualMachineInstance,
  { configuration }: ClusterConfig,
): PersistentVolumeClaim {
  const { name = '', uid = '', namespace } = vmi.metadata ?? {};
  const owner = controllerOfKind(vmi, ownerKinds.vm);
  const { vmStateStorageClass: storageClassName } = configuration;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: stateClaimName(vmi),
      namespace,
      labels: { [STATE_LABEL]: name },
      ownerReferences: [
        owner !== undefined
          ? { ...owner, controller: true, blockOwnerDeletion: true }
          : {
              apiVersion: 'kubevirt.io/v1',
              kind: 'VirtualMachineInstance',
              name,
              uid,
              controller: true,
              blockOwnerDeletion: true,
            },
      ],
    },
    spec: {
      accessModes: [storageClassName ? 'ReadWriteMany' : 'ReadWriteOnce'],
      volumeMode: 'Filesystem',
      resources: { requests: { storage: tracksChanges(vmi) ? SIZE_WITH_BITMAPS : SIZE } },
      ...(storageClassName ? { storageClassName } : {}),
    },
  };
}
