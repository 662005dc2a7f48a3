/** Informers of the kinds about stored data. Nobody else looks at them, and a cluster may not serve them all. */
import {
  labels,
  type Pod,
  type VirtualMachineBackup,
  type VirtualMachineBackupTracker,
  type VirtualMachineClone,
  type VirtualMachineExport,
  type VirtualMachineRestore,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
  type VolumeSnapshot,
} from '@podvisor/api';
import { Informer, type ListWatcher, type Log, resources } from '@podvisor/kube';
import { OptionalCache } from './optional-cache.ts';
import {
  vmBackups,
  vmBackupTrackers,
  vmClones,
  vmExports,
  vmRestores,
  vmSnapshotContents,
  vmSnapshots,
} from './resources.ts';
import { BY_MANAGER, managed } from './caches/indexes.ts';
import { EXPORT_LABEL } from './watch/export/plan.ts';

export interface StorageCaches {
  readonly snapshots: Informer<VirtualMachineSnapshot>;
  readonly contents: Informer<VirtualMachineSnapshotContent>;
  readonly restores: Informer<VirtualMachineRestore>;
  readonly clones: Informer<VirtualMachineClone>;
  readonly exports: Informer<VirtualMachineExport>;
  readonly exportPods: Informer<Pod>;
  readonly backups: Informer<VirtualMachineBackup>;
  readonly trackers: Informer<VirtualMachineBackupTracker>;
  readonly volumeSnapshots: OptionalCache<VolumeSnapshot>;
}

export function createStorageCaches(client: ListWatcher, log: Log): StorageCaches {
  const common = { client, log };
  return {
    snapshots: new Informer({ ...common, resource: vmSnapshots }),
    contents: new Informer({ ...common, resource: vmSnapshotContents }),
    restores: new Informer({ ...common, resource: vmRestores }),
    clones: new Informer({ ...common, resource: vmClones, indexers: { [BY_MANAGER]: managed } }),
    exports: new Informer({ ...common, resource: vmExports }),
    exportPods: new Informer({
      ...common,
      resource: resources.pods,
      labelSelector: `${labels.app}=${EXPORT_LABEL}`,
    }),
    backups: new Informer({ ...common, resource: vmBackups }),
    trackers: new Informer({ ...common, resource: vmBackupTrackers }),
    volumeSnapshots: new OptionalCache(client, log, resources.volumeSnapshots),
  };
}
