/** What a migration asks of libvirt: which disks travel, flags, parameters, the target's definition. Pure. */
import {
  claimName,
  migratedVolume,
  type MigrationConfiguration,
  type VirtualMachineInstance,
  type Volume,
} from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { MIGRATE_FLAG, type TypedParam } from '@podvisor/libvirt';
import type { Domain, DomainDisk } from '@podvisor/translate';
import { trackedVolume } from '../backup/tracked-disks.ts';
import { LauncherError } from '../launcher-error.ts';

export interface MigrationPlan {
  /** Sum of MIGRATE_FLAG for every step on the source; the target's steps use `targetFlags`. */
  readonly flags: number;
  readonly targetFlags: number;
  /** Device names of the disks whose contents are only in this Pod. */
  readonly disks: readonly string[];
  /** Names of their volumes, and where their images are. */
  readonly volumes: readonly string[];
  readonly paths: readonly string[];
  /** Those of them that go to another claim. */
  readonly moved: readonly MovedDisk[];
  /** Limit in MiB a second; absent: none. */
  readonly bandwidthMiB?: number;
}

/** A disk that is on another claim on the target. */
export interface MovedDisk {
  readonly volume: string;
  /** Where it is here. */
  readonly path: string;
  /** The new claim is a block device. */
  readonly toBlock: boolean;
}

const MIB = 1024 * 1024;
const USER_ALIAS = 'ua-';
/** Caches that leave nothing in the memory of the node. */
const SAFE_CACHES = new Set(['none', 'directsync']);

export function planMigration(
  vmi: VirtualMachineInstance,
  domain: Domain,
  configuration: MigrationConfiguration,
  isPaused: boolean,
): MigrationPlan {
  const writable = (domain.devices?.disks ?? []).filter(
    (disk) => disk.device !== 'cdrom' && disk.device !== 'floppy' && disk.readonly === undefined,
  );
  const volumes = new Map((vmi.spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const nameOf = (disk: (typeof writable)[number]): string =>
    (disk.alias?.name ?? '').slice(USER_ALIAS.length);
  const isLocal = (name: string): boolean =>
    migratedVolume(vmi, name) !== undefined || isInPod(volumes.get(name));
  const copied = writable.filter((disk) => isLocal(nameOf(disk)) && disk.shareable === undefined);
  const shared = writable.filter((disk) => !copied.includes(disk));
  // libvirt knows a few cluster file systems and calls all else unsafe; that two Pods with one claim see the
  // same bytes is Kubernetes' promise, and it holds as long as no node keeps bytes in its own memory.
  const isSafe = shared.every((disk) => SAFE_CACHES.has(disk.driver?.cache ?? ''));
  const flags = sum(
    MIGRATE_FLAG.live,
    MIGRATE_FLAG.persistDestination,
    MIGRATE_FLAG.changeProtection,
    copied.length > 0 && MIGRATE_FLAG.nonSharedIncremental,
    (configuration.unsafeMigrationOverride === true || isSafe) && MIGRATE_FLAG.unsafe,
    isPaused && MIGRATE_FLAG.paused,
    configuration.allowAutoConverge === true && MIGRATE_FLAG.autoConverge,
    configuration.allowPostCopy === true && MIGRATE_FLAG.postCopy,
  );
  const bandwidth = parseQuantity(configuration.bandwidthPerMigration ?? '0').value();
  return {
    flags,
    targetFlags: flags & ~MIGRATE_FLAG.autoConverge,
    disks: copied.flatMap(({ target }) => target?.dev ?? []),
    volumes: copied.map(nameOf),
    paths: copied.flatMap((disk) => pathOf(disk) ?? []),
    moved: movedDisks(vmi, new Map(copied.map((disk) => [nameOf(disk), pathOf(disk)]))),
    ...(bandwidth > 0 ? { bandwidthMiB: Math.max(1, Math.ceil(bandwidth / MIB)) } : {}),
  };
}

/** Throws when one of them is not copied: on its new claim the guest would find an empty disk. */
function movedDisks(
  { status }: VirtualMachineInstance,
  copied: ReadonlyMap<string, string | undefined>,
): readonly MovedDisk[] {
  return (status?.migratedVolumes ?? []).map(({ volumeName: volume, destinationPVCInfo }) => {
    const path = copied.get(volume);
    if (path === undefined || trackedVolume({ source: { file: path } }) !== undefined)
      throw new LauncherError(`volume ${volume} should move to another claim, but has no plain disk to copy`);
    return { volume, path, toBlock: destinationPVCInfo?.volumeMode === 'Block' };
  });
}

function pathOf({ source }: DomainDisk): string | undefined {
  return source?.file ?? source?.dev;
}

/** The contents live and die with the Pod: another Pod has its own. */
function isInPod(volume: Volume | undefined): boolean {
  if (volume === undefined) return true;
  if (volume.ephemeral !== undefined) return true;
  return claimName(volume) === undefined && volume.hostDisk?.shared !== true;
}

/** Parameters that name the disks to copy. */
export function diskParams(plan: Pick<MigrationPlan, 'disks'>): readonly TypedParam[] {
  return plan.disks.map((disk) => text('migrate_disks', disk));
}

export function text(field: string, value: string): TypedParam {
  return { field, type: 'string', value };
}

function sum(...flags: readonly (number | false)[]): number {
  return flags.reduce<number>((all, flag) => all | (flag === false ? 0 : flag), 0);
}
