/**
 * Backups between virt-controller and virt-launcher: the bodies of the subresources `backup` and `redefine-checkpoint`,
 * and which volumes take part. Pure.
 */
import type { BackupCheckpoint, Disk, VirtualMachineInstance, VMISpec, Volume } from '../types/index.ts';

/** Body of the subresource `backup`. The names are KubeVirt's. */
export interface BackupOptions {
  readonly cmd: 'Start' | 'Abort';
  readonly backupName: string;
  /** Creation time of the backup object: which one of this name is meant. */
  readonly backupStartTime: string;
  readonly mode?: 'Push' | 'Pull';
  /** Checkpoint since which changes are copied; absent: everything. */
  readonly incremental?: string;
  /** Volumes that `incremental` covers; others are copied whole. Absent: all. */
  readonly incrementalVolumes?: readonly string[];
  /** Where the files go: the directory of a claim that is plugged into the launcher Pod. */
  readonly targetPath?: string;
  readonly skipQuiesce?: boolean;
  /** A checkpoint is kept, for increments since this backup. */
  readonly checkpoint?: boolean;
  /** At most this much is read from each disk, a second. Absent: as fast as it goes. */
  readonly bytesPerSecond?: number;
  /** Checkpoint that nobody needs once this backup has succeeded. */
  readonly supersedes?: string;
}

/** Answer of the subresource `backupprogress`: how far the copy is. Bytes. */
export interface BackupProgress {
  readonly backupName: string;
  readonly totalBytes: number;
  readonly doneBytes: number;
}

/** Body of the subresource `redefine-checkpoint`. */
export type RedefinedCheckpoint = BackupCheckpoint;

/** Name of the checkpoint, and of the directory, of a backup: its name and its time. */
export function checkpointNameOf({ backupName, backupStartTime }: BackupOptions): string {
  const time = new Date(backupStartTime).toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-');
  return `${backupName}-${time}`;
}

/**
 * Name of the unix socket, in the claim of a backup that is pulled, at which QEMU serves its disks. Short, because a
 * socket's path ends at 107 bytes, and another one for each backup.
 */
export function backupSocketName(options: BackupOptions): string {
  // FNV-1a: different, not secret.
  const hash = [...checkpointNameOf(options)].reduce(
    (sum, letter) => Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0,
    0x811c9dc5,
  );
  return `${(hash & 0xffffff).toString(16).padStart(6, '0')}.sock`;
}

/** States in which a VMI has its changed blocks tracked, or is about to. */
export function tracksChanges({ status }: Pick<VirtualMachineInstance, 'status'>): boolean {
  const state = status?.changedBlockTracking?.state;
  return state === 'Enabled' || state === 'Initializing';
}

/**
 * Volumes whose changed blocks can be tracked: disks of the guest alone, on claims or files of the node. Those that
 * are plugged in while it runs are tracked from then on.
 */
export function trackableVolumes(spec: VMISpec): readonly Volume[] {
  const disks = new Map((spec.domain.devices.disks ?? []).map((disk) => [disk.name, disk]));
  return (spec.volumes ?? []).filter((volume) => {
    const disk = disks.get(volume.name);
    return disk !== undefined && untrackable(volume, disk) === undefined;
  });
}

/** Why the changed blocks of a disk cannot be tracked; undefined when they can. */
export function untrackable(volume: Volume, disk: Disk): string | undefined {
  if (disk.cdrom !== undefined) return 'it is a CD-ROM drive';
  if (disk.lun !== undefined) return 'it is a LUN, which the guest writes past QEMU';
  if (disk.shareable === true) return 'it is shareable: others write to it as well';
  if (
    volume.persistentVolumeClaim === undefined &&
    volume.dataVolume === undefined &&
    volume.hostDisk === undefined
  )
    return 'it is neither a claim nor a disk of the node';
  return undefined;
}
