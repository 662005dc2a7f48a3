/**
 * Disks whose changed blocks are tracked: the domain shows the overlay that keeps the bitmaps, and who cares for the
 * disk itself (leases, growth) must look behind it. libvirt before 10.10 does not tell what is behind.
 */
import {
  claimName,
  type DomainState,
  type DomainStateReason,
  trackableVolumes,
  tracksChanges,
  type LauncherPaths,
  type VirtualMachineInstance,
} from '@podvisor/api';
import {
  checkTrackingOverlay,
  dataFileOf,
  ensureTrackingOverlay,
  type PreparedVolume,
  seal,
} from '@podvisor/storage';
import { type Domain, type DomainDisk, domainFromXml } from '@podvisor/translate';
import type { DomainContext } from '../domain-manager/context.ts';
import { explain } from '../launcher-error.ts';
import type { BackupDisk } from './plan.ts';

const OVERLAYS = '/libvirt/qemu/cbt/';
const SUFFIX = '.qcow2';

/** The volume of a disk that is an overlay with bitmaps. */
export function trackedVolume({ source }: Pick<DomainDisk, 'source'>): string | undefined {
  const [, file] = source?.file?.split(OVERLAYS) ?? [];
  return file?.endsWith(SUFFIX) ? file.slice(0, -SUFFIX.length) : undefined;
}

/** The disk as it would be without tracking. */
export function rawDisk(
  disk: DomainDisk,
  dataOf: (overlay: string) => string | undefined = dataFileOf,
): DomainDisk {
  if (trackedVolume(disk) === undefined) return disk;
  const path = dataOf(disk.source?.file ?? '');
  if (path === undefined) return disk;
  return path.startsWith('/dev/')
    ? { ...disk, type: 'block', source: { dev: path } }
    : { ...disk, source: { file: path } };
}

/** The domain with every disk as it would be without tracking. */
export function withRawDisks(domain: Domain): Domain {
  const disks = domain.devices?.disks?.map((disk) => rawDisk(disk));
  return disks === undefined ? domain : { ...domain, devices: { ...domain.devices, disks } };
}

/** The disks of the running domain, as a backup sees them. */
export async function backupDisks(
  context: Pick<DomainContext, 'session' | 'domainName'>,
): Promise<readonly BackupDisk[]> {
  const { connection } = context.session;
  const domain = await connection.lookupByName(context.domainName);
  if (domain === undefined) return [];
  const { devices } = domainFromXml(await connection.getXml(domain));
  return (devices?.disks ?? []).flatMap((disk): BackupDisk[] => {
    const target = disk.target?.dev;
    if (target === undefined) return [];
    const volume = trackedVolume(disk);
    return [{ volume: volume ?? '', target, tracked: volume !== undefined }];
  });
}

/** Overlays of the volumes that the VMI has tracked, by volume. */
export function overlaysOf(
  vmi: VirtualMachineInstance,
  paths: Pick<LauncherPaths, 'changedBlocks'>,
): ReadonlyMap<string, string> {
  if (!tracksChanges(vmi)) return new Map();
  return new Map(trackableVolumes(vmi.spec).map(({ name }) => [name, paths.changedBlocks(name)]));
}

export interface OverlayOptions {
  /** The guest comes from another node, where it has them open. */
  readonly incoming: boolean;
  /** Disks that the guest has already; their overlays are in use. */
  readonly except?: Readonly<Record<string, unknown>>;
}

/** Before QEMU opens the disks. */
export async function prepareOverlays(
  vmi: VirtualMachineInstance,
  paths: Pick<LauncherPaths, 'changedBlocks'>,
  prepared: Readonly<Record<string, PreparedVolume>>,
  { incoming, except = {} }: OverlayOptions,
  signal: AbortSignal,
): Promise<void> {
  const claims = new Map((vmi.spec.volumes ?? []).map((volume) => [volume.name, claimName(volume)]));
  await Promise.all(
    [...overlaysOf(vmi, paths)].map(async ([volume, overlay]) => {
      const disk = prepared[volume];
      if (disk === undefined || volume in except) return;
      try {
        if (incoming) checkTrackingOverlay(overlay, disk);
        else await ensureTrackingOverlay(overlay, disk, claims.get(volume), signal);
      } catch (error) {
        throw explain(`the changed blocks of volume ${volume} could not be tracked`, error);
      }
    }),
  );
}

/** Ends after which QEMU has written down its bitmaps. */
const IN_GOOD_ORDER: ReadonlySet<DomainStateReason> = new Set(['Shutdown', 'Destroyed']);

/** When the guest has ended in good order, its bitmaps know of every write: that is noted beside them. */
export function sealAtEnd(
  { state, reason, trackedVolumes = [] }: DomainState,
  paths: Pick<LauncherPaths, 'changedBlocks'>,
): void {
  if (state !== 'Shutoff' || !IN_GOOD_ORDER.has(reason)) return;
  for (const overlay of trackedVolumes.map((volume) => paths.changedBlocks(volume))) {
    const path = dataFileOf(overlay);
    if (path !== undefined) seal(overlay, { path, block: path.startsWith('/dev/') });
  }
}
