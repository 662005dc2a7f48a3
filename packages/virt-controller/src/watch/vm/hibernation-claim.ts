/** The claim that takes the memory of a guest that hibernates. Pure. */
import {
  claimName,
  type ClusterConfig,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { Amount, parseQuantity } from '@podvisor/base';
import { guestMemoryBytes } from '@podvisor/translate';
import { controllerReference } from '../ownership.ts';
import { nameSuffix } from '../vmi/pod-name.ts';
import type { StorageView } from './volumes/data-volumes.ts';

const PREFIX = 'hibernation';
const LONGEST = 63;
const MEBIBYTE = 1024 * 1024;
/** Devices, video memory, and what libvirt says of the domain. */
const DEVICES_BYTES = 128 * MEBIBYTE;
/** What a guest may have written to a disk that lives in its Pod alone; no one knows beforehand. */
const POD_DISK_BYTES = 1024 * MEBIBYTE;
/** Share that file systems keep for themselves. */
const FILE_SYSTEM_OVERHEAD = 0.055;
const HIBERNATION_LABEL = 'podvisor.io/hibernation-of';

/** One for each VM, the same each time. */
export function hibernationClaimName({ metadata }: VirtualMachine): string {
  const suffix = nameSuffix(metadata?.uid ?? '');
  return `${`${PREFIX}-${metadata?.name}`.slice(0, LONGEST - suffix.length - 1)}-${suffix}`;
}

/** As large as the state can get: memory that does not compress (so many times), and the disks of the Pod. */
export function stateBytes({ spec, status }: VirtualMachineInstance, timesMemory = 1): number {
  const { maxGuest } = spec.domain.memory ?? {};
  const current = status?.memory?.guestCurrent;
  const memory = Math.max(
    guestMemoryBytes(spec),
    ...[maxGuest, current].flatMap((size) =>
      size === undefined ? [] : [parseQuantity(String(size)).value()],
    ),
  );
  const disks = (spec.volumes ?? []).reduce((sum, { emptyDisk, containerDisk, ephemeral }) => {
    if (emptyDisk !== undefined) return sum + parseQuantity(String(emptyDisk.capacity)).value();
    return containerDisk !== undefined || ephemeral !== undefined ? sum + POD_DISK_BYTES : sum;
  }, 0);
  const bytes = (memory * timesMemory + DEVICES_BYTES + disks) * (1 + FILE_SYSTEM_OVERHEAD);
  return Math.ceil(bytes / MEBIBYTE) * MEBIBYTE;
}

export function buildHibernationClaim(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance,
  { configuration }: Pick<ClusterConfig, 'configuration'>,
  storage: Pick<StorageView, 'claim'>,
): PersistentVolumeClaim {
  const [first] = (vmi.spec.volumes ?? []).flatMap((volume) => storage.claim(claimName(volume) ?? '') ?? []);
  const metadata = {
    name: hibernationClaimName(vm),
    namespace: vm.metadata?.namespace,
    labels: { [HIBERNATION_LABEL]: vm.metadata?.uid ?? '' },
    ownerReferences: [controllerReference(vm, 'kubevirt.io/v1', 'VirtualMachine')],
  };
  return stateClaim(metadata, stateBytes(vmi), configuration, first);
}

/**
 * On the class that the configuration names for what VMs remember, or else on that of the VM's own first claim, where
 * the guest can go on wherever its disks can be.
 */
export function stateClaim(
  metadata: PersistentVolumeClaim['metadata'],
  bytes: number,
  configuration: ClusterConfig['configuration'],
  first: PersistentVolumeClaim | undefined,
): PersistentVolumeClaim {
  const storageClassName = configuration.vmStateStorageClass ?? first?.spec.storageClassName;
  const isShared = first?.spec.accessModes?.includes('ReadWriteMany') === true;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: {
      accessModes: [isShared ? 'ReadWriteMany' : 'ReadWriteOnce'],
      volumeMode: 'Filesystem',
      resources: { requests: { storage: Amount.ofBytes(bytes).toString() } },
      ...(storageClassName === undefined || storageClassName === '' ? {} : { storageClassName }),
    },
  };
}
