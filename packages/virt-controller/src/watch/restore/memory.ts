/**
 * The memory of a restored VM. The VM is made one that hibernates: its state is a copy of the snapshot's memory on a
 * claim of its own, which the guest uses up when it goes on, so that it can never meet disks that have moved on. From
 * there on everything is as with any hibernated VM, also what is refused. Pure.
 */
import {
  type MemoryBackup,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineRestore,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
  type VMHibernation,
  type VMSpec,
} from '@podvisor/api';
import { controllerReference, isControlledBy } from '../ownership.ts';
import { hibernationClaimName } from '../vm/hibernation-claim.ts';
import { RESTORE_NAME } from './plan.ts';

const CONTENT_KIND = {
  group: 'snapshot.kubevirt.io',
  kind: 'VirtualMachineSnapshotContent',
} as const;

/** The memory that the restored VM goes on from; undefined: it stays off, and boots when it is started. */
export function memoryOf(
  { spec }: VirtualMachineRestore,
  content: VirtualMachineSnapshotContent,
): MemoryBackup | undefined {
  return spec.discardMemory === true ? undefined : (content.spec.memoryBackup ?? undefined);
}

/** The claim holds the memory of this content and of no other; its name alone says nothing. */
export function isMemoryOf(
  claim: PersistentVolumeClaim | undefined,
  content: VirtualMachineSnapshotContent,
): claim is PersistentVolumeClaim {
  return claim !== undefined && isControlledBy(claim, content, CONTENT_KIND);
}

/** What the VM remembers. */
export function restoredHibernation(
  { spec }: VirtualMachineRestore,
  vm: VirtualMachine,
  { vmiUID, interfaces }: MemoryBackup,
  { status }: VirtualMachineSnapshot,
): VMHibernation {
  return {
    phase: 'Hibernated',
    claimName: hibernationClaimName(vm),
    vmiUID,
    isWhole: true,
    isOfSnapshot: true,
    ...(spec.newIdentity === true ? { newIdentity: true } : {}),
    ...(interfaces === undefined ? {} : { interfaces }),
    ...(typeof status?.creationTime === 'string' ? { hibernatedTimestamp: status.creationTime } : {}),
    ...(status?.memory?.sizeBytes === undefined ? {} : { sizeBytes: status.memory.sizeBytes }),
  };
}

/** A copy of the memory that goes with the VM. */
export function restoredState(
  restore: VirtualMachineRestore,
  vm: VirtualMachine,
  memory: PersistentVolumeClaim,
): PersistentVolumeClaim {
  const { accessModes, storageClassName, resources } = memory.spec;
  const storage = memory.status?.capacity?.['storage'] ?? resources?.requests?.['storage'];
  const source = { kind: 'PersistentVolumeClaim', name: memory.metadata.name ?? '' };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: hibernationClaimName(vm),
      namespace: vm.metadata?.namespace,
      annotations: { [RESTORE_NAME]: restore.metadata?.name ?? '' },
      ownerReferences: [controllerReference(vm, 'kubevirt.io/v1', 'VirtualMachine')],
    },
    spec: {
      accessModes,
      storageClassName,
      volumeMode: 'Filesystem',
      resources: { requests: { ...(storage === undefined ? {} : { storage }) } },
      dataSource: source,
      dataSourceRef: source,
    },
  };
}

/** How the VM ran when the snapshot was taken; undefined: nothing needs to be said, it is off by its own spec. */
export function runAgain({ runStrategy, running }: VMSpec): Partial<VMSpec> | undefined {
  if (runStrategy !== undefined) return runStrategy === 'Halted' ? undefined : { runStrategy };
  return running === true ? { running } : undefined;
}
