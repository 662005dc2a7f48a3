/**
 * The small claim that keeps what firmware and TPM of a VM remember, and which blocks of its disks have changed,
 * beyond the life of its Pods. Pure.
 */
import {
  type ClusterConfig,
  type PersistentVolumeClaim,
  tracksChanges,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { controllerOf } from '../ownership.ts';
import { nameSuffix } from '../vmi/pod-name.ts';

const LABEL = 'persistent-state-for';
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

/** The same for every VMI of a VM: a restart finds it again. Undefined when nothing is kept. */
export function stateClaimName(vmi: VirtualMachineInstance): string | undefined {
  if (!keepsState(vmi)) return undefined;
  const { name = '', uid = '' } = vmi.metadata ?? {};
  const owner = controllerOf(vmi);
  const suffix = nameSuffix(owner?.kind === 'VirtualMachine' ? owner.uid : uid);
  return `${LABEL}-${name}-${suffix}`;
}

/** It goes with the VM, or with a VMI that has none. */
export function buildStateClaim(
  vmi: VirtualMachineInstance,
  { configuration }: ClusterConfig,
): PersistentVolumeClaim {
  const { name = '', uid = '', namespace } = vmi.metadata ?? {};
  const owner = controllerOf(vmi);
  const { vmStateStorageClass: storageClassName } = configuration;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: stateClaimName(vmi),
      namespace,
      labels: { [LABEL]: name },
      ownerReferences: [
        owner?.kind === 'VirtualMachine'
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
