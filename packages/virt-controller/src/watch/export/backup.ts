/** What an export of a backup serves: the disks that QEMU holds still for a reader. Pure. */
import {
  type BackupVolumeInfo,
  backupSocketName,
  checkpointNameOf,
  type PersistentVolumeClaim,
  type VirtualMachineBackup,
  type VirtualMachineBackupTracker,
  type VirtualMachineExport,
  type VirtualMachineExportLink,
} from '@podvisor/api';
import { exportName, mountPath } from './plan.ts';

export interface ServedDisk {
  readonly name: string;
  /** Name of QEMU's socket in the claim. */
  readonly socket: string;
  /** Bitmap of the blocks that changed, in an increment. */
  readonly bitmap?: string;
}

export function disksOf(
  { metadata, status }: VirtualMachineBackup,
  tracker: VirtualMachineBackupTracker | undefined,
  volumes: readonly BackupVolumeInfo[],
): readonly ServedDisk[] {
  const of = {
    cmd: 'Start',
    backupName: metadata?.name ?? '',
    backupStartTime: metadata?.creationTimestamp ?? '',
  } as const;
  const covered = tracker?.status?.latestCheckpoint?.volumes?.map(({ volumeName }) => volumeName);
  return volumes.map(({ volumeName: name }) => {
    const isIncrement = status?.type === 'Incremental' && covered?.includes(name) !== false;
    const socket = backupSocketName(of);
    return isIncrement ? { name, socket, bitmap: checkpointNameOf(of) } : { name, socket };
  });
}

/** What the server reads when it starts. */
export function backupSettings(
  [claim]: readonly PersistentVolumeClaim[],
  disks: readonly ServedDisk[],
): string {
  const directory = mountPath(claim?.metadata.name ?? '', false);
  const backups = disks.map((disk) => ({ ...disk, socket: `${directory}/${disk.socket}` }));
  return JSON.stringify({ volumes: [], manifests: {}, backups });
}

export function backupLinks(
  of: VirtualMachineExport,
  disks: readonly ServedDisk[],
  cert: string,
): VirtualMachineExportLink {
  const root = `https://${exportName(of)}.${of.metadata?.namespace}.svc`;
  return {
    cert,
    backups: disks.map(({ name }) => ({
      name,
      endpoints: ['data', 'map'].map((endpoint) => ({
        endpoint,
        url: `${root}/backups/${name}/${endpoint}`,
      })),
    })),
  };
}
