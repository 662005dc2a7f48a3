/** The kinds of snapshots, restores, clones and backups, as the tests ask for them. */
import type {
  VirtualMachineBackup,
  VirtualMachineBackupTracker,
  VirtualMachineClone,
  VirtualMachineRestore,
  VirtualMachineSnapshot,
} from '@podvisor/api';
import { defineResource } from '@podvisor/kube';

export const SNAPSHOT_API = 'snapshot.kubevirt.io/v1beta1';
export const vmSnapshots = defineResource<VirtualMachineSnapshot>(
  'VirtualMachineSnapshot',
  'virtualmachinesnapshots',
  SNAPSHOT_API,
);
export const vmRestores = defineResource<VirtualMachineRestore>(
  'VirtualMachineRestore',
  'virtualmachinerestores',
  SNAPSHOT_API,
);

export const CLONE_API = 'clone.kubevirt.io/v1beta1';
export const vmClones = defineResource<VirtualMachineClone>(
  'VirtualMachineClone',
  'virtualmachineclones',
  CLONE_API,
);

export const BACKUP_API = 'backup.kubevirt.io/v1alpha1';
export const vmBackups = defineResource<VirtualMachineBackup>(
  'VirtualMachineBackup',
  'virtualmachinebackups',
  BACKUP_API,
);
export const vmBackupTrackers = defineResource<VirtualMachineBackupTracker>(
  'VirtualMachineBackupTracker',
  'virtualmachinebackuptrackers',
  BACKUP_API,
);
