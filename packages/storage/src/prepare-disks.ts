/**
 * Makes every file that the domain needs, inside the launcher Pod and without privileges. Idempotent: what
 * exists is kept, so a second call after a crash or for an update changes nothing that a guest may use.
 */
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import {
  type ClaimFacts,
  claimName,
  isHotpluggable,
  type LauncherPaths,
  launcherPaths,
  type VirtualMachineInstance,
  type Volume,
} from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { type CloudInitEditor, prepareCloudInit } from './cloud-init/build.ts';
import { cloudInitVolume } from './cloud-init/data.ts';
import { configDiskOf } from './config-disk.ts';
import { findContainerDisk } from './container-disk.ts';
import { makeRoomForCopy } from './copy-destination.ts';
import { ensureDiskImage, forgetPartials, growDiskImage, roomForImage } from './disk-image.ts';
import { vhostmdDisk } from './downward-metrics.ts';
import { inspectImage } from './image/inspect.ts';
import { buildIsoFromDirectory } from './iso.ts';
import { type BlockSizes, blockSizes, isFullyAllocated } from './block-size.ts';
import { requirePlainFile } from './plain-file.ts';
import { createEmptyDisk, createOverlay } from './qemu-img.ts';

/** What the domain XML must know about a volume that was prepared. */
export interface PreparedVolume {
  /** What QEMU opens. */
  readonly path: string;
  readonly format: 'raw' | 'qcow2';
  readonly block: boolean;
  /** The file can be opened with O_DIRECT. */
  readonly directIo: boolean;
  /** All blocks of the file are allocated. */
  readonly allocated?: boolean;
  /** The read-only image under an overlay. */
  readonly backing?: Backing;
  /** Where the disk shall have the sectors of its volume. */
  readonly blockSize?: BlockSizes;
  /** The claim had less room than it promised, and the image is smaller. */
  readonly isSmallerThanClaim?: boolean;
}

export interface PrepareDisksOptions {
  /** Facts about PVC-backed volumes, by volume name (SyncOptions.volumes). */
  readonly volumes?: Readonly<Record<string, ClaimFacts>>;
  readonly paths?: LauncherPaths;
  readonly editCloudInit?: CloudInitEditor;
  /** Volumes to leave alone, e.g. those that a running guest has already. */
  readonly except?: ReadonlySet<string>;
}

interface Backing {
  readonly path: string;
  readonly format: 'raw' | 'qcow2';
  /** It is a device. */
  readonly block?: boolean;
}

/**
 * Prepares all volumes of `vmi` that a disk shows, side by side. Volumes that need no file here are left out of
 * the result, and so is a hotpluggable claim that is not plugged into the Pod (yet).
 */
export async function prepareDisks(
  vmi: VirtualMachineInstance,
  options: PrepareDisksOptions = {},
  signal?: AbortSignal,
): Promise<Readonly<Record<string, PreparedVolume>>> {
  const paths = options.paths ?? launcherPaths();
  linkKernelBoot(vmi, paths);
  // Only what a disk shows is mounted into the Pod; the others serve filesystems, firmware tables or dumps.
  const shown = new Set((vmi.spec.domain.devices.disks ?? []).map(({ name }) => name));
  const isWanted = ({ name }: Volume): boolean => shown.has(name) && options.except?.has(name) !== true;
  const cloudInit = cloudInitVolume(vmi.spec.volumes)?.volume;
  // One `all` for everything: a failure here must not leave another one without somebody who hears of it.
  const [iso, prepared] = await Promise.all([
    cloudInit !== undefined && isWanted(cloudInit)
      ? named(cloudInit, prepareCloudInit(vmi, paths, signal, options.editCloudInit))
      : undefined,
    Promise.all(
      (vmi.spec.volumes ?? []).map(async (volume, index) => {
        if (!isWanted(volume)) return [volume.name, undefined] as const;
        const step =
          volume.downwardMetrics === undefined
            ? prepareVolume(volume, index, paths, options.volumes?.[volume.name], signal)
            : prepareMetrics(paths.downwardMetrics, vmi.status?.nodeName);
        return [volume.name, await named(volume, step)] as const;
      }),
    ),
  ]);
  const result: Record<string, PreparedVolume> = {};
  for (const [name, info] of prepared)
    if (info !== undefined) result[name] = { ...info, ...matchedBlockSize(vmi, name, info) };
  if (iso !== undefined) result[iso.volume] = fileVolume(iso.path, 'raw');
  return result;
}

/** Sizes are asked for by disk; an overlay has those of what is under it. */
function matchedBlockSize(
  vmi: VirtualMachineInstance,
  name: string,
  { path, block, backing }: PreparedVolume,
): Pick<PreparedVolume, 'blockSize'> {
  const disk = vmi.spec.domain.devices.disks?.find((candidate) => candidate.name === name);
  const match = disk?.blockSize?.matchVolume;
  if (match === undefined || match.enabled === false) return {};
  return { blockSize: blockSizes(backing?.path ?? path, backing?.block ?? block) };
}

async function named<T>(volume: Volume, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`volume ${volume.name} cannot be prepared: ${reason}`, { cause: error });
  }
}

async function prepareVolume(
  volume: Volume,
  index: number,
  paths: LauncherPaths,
  facts: ClaimFacts | undefined,
  signal: AbortSignal | undefined,
): Promise<PreparedVolume | undefined> {
  if (volume.containerDisk !== undefined) {
    const path = paths.containerDisk(index);
    if (existsSync(paths.imageVolume(index)))
      linkOnce(findContainerDisk(paths.imageVolume(index), volume.containerDisk.path), path);
    // Otherwise virt-handler has shown it here, out of the container that holds the image.
    const { format, virtualSizeBytes } = inspectImage(path);
    const backing = { path, format };
    return overlay(paths.overlay(volume.name), backing, signal, virtualSizeBytes);
  }
  if (volume.emptyDisk !== undefined) {
    const path = paths.emptyDisk(volume.name);
    await createEmptyDisk(path, parseQuantity(volume.emptyDisk.capacity).value(), signal);
    return fileVolume(path, 'qcow2');
  }
  if (volume.hostDisk !== undefined) {
    const path = paths.hostDisk(volume.name, volume.hostDisk.path);
    requirePlainFile(path);
    if (volume.hostDisk.type === 'DiskOrCreate')
      ensureDiskImage(path, parseQuantity(volume.hostDisk.capacity ?? 0).value());
    else if (!existsSync(path)) throw new Error(`${volume.hostDisk.path} does not exist on the node`);
    return fileVolume(path, 'raw');
  }
  if (isHotpluggable(volume)) return pluggedClaim(volume.name, paths, facts, signal);
  if (claimName(volume) !== undefined) return prepareClaim(volume, paths, facts, signal);
  const config = configDiskOf(volume);
  if (config === undefined) return undefined;
  const { source, iso } = paths.configDisk(config.kind, volume.name);
  await buildIsoFromDirectory(iso, source, {
    label: config.label,
    ...(signal === undefined ? {} : { signal }),
  });
  return fileVolume(iso, 'raw');
}

/** What virt-handler plugs into the Pod is there or not; it is never made here. */
async function pluggedClaim(
  name: string,
  paths: LauncherPaths,
  facts: ClaimFacts | undefined,
  signal: AbortSignal | undefined,
): Promise<PreparedVolume | undefined> {
  const block = facts?.block ?? existsSync(paths.hotplugDisk(name, true));
  const path = paths.hotplugDisk(name, block);
  if (!existsSync(path)) return undefined;
  if (facts?.copiedBytes !== undefined)
    await makeRoomForCopy(
      { path, block, bytes: facts.copiedBytes, capacityBytes: facts.capacityBytes },
      signal,
    );
  return { path, format: 'raw', block, directIo: opensDirect(path) };
}

async function prepareMetrics(path: string, node: string | undefined): Promise<PreparedVolume> {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    const disk = vhostmdDisk([
      { name: 'HostName', type: 'string', value: node ?? hostname() },
      { name: 'VirtualizationVendor', type: 'string', value: 'kubevirt.io' },
    ]);
    writeFileSync(`${path}.partial`, disk);
    renameSync(`${path}.partial`, path);
  }
  return fileVolume(path, 'raw');
}

async function prepareClaim(
  volume: Volume,
  paths: LauncherPaths,
  facts: ClaimFacts | undefined,
  signal: AbortSignal | undefined,
): Promise<PreparedVolume> {
  const block = facts?.block ?? existsSync(paths.blockDevice(volume.name));
  // A claim is raw by contract: its first bytes belong to the guest and say nothing.
  const path = block ? paths.blockDevice(volume.name) : paths.claimImage(volume.name);
  if (!block) {
    forgetPartials(path);
    requirePlainFile(path);
  }
  if (volume.ephemeral !== undefined)
    return overlay(paths.overlay(volume.name), { path, format: 'raw', ...(block ? { block } : {}) }, signal);
  if (facts?.copiedBytes !== undefined)
    await makeRoomForCopy(
      { path, block, bytes: facts.copiedBytes, capacityBytes: facts.capacityBytes },
      signal,
    );
  if (block) return { path, format: 'raw', block: true, directIo: opensDirect(path) };
  if (facts?.copiedBytes !== undefined) return fileVolume(path, 'raw');
  if (!existsSync(path) && facts?.capacityBytes === undefined)
    throw new Error(`${path} does not exist and the size of claim ${claimName(volume)} is not known`);
  const made = ensureDiskImage(path, facts?.capacityBytes ?? 0);
  if (!made.created && facts?.capacityBytes !== undefined) growDiskImage(path, roomForImage(facts));
  return {
    ...fileVolume(path, 'raw'),
    ...(isFullyAllocated(path) ? { allocated: true } : {}),
    ...(made.isSmaller ? { isSmallerThanClaim: true } : {}),
  };
}

async function overlay(
  path: string,
  backing: Backing,
  signal: AbortSignal | undefined,
  virtualSizeBytes?: number,
): Promise<PreparedVolume> {
  await createOverlay(path, { ...backing, virtualSizeBytes }, signal);
  return { ...fileVolume(path, 'qcow2'), backing };
}

function fileVolume(path: string, format: 'raw' | 'qcow2'): PreparedVolume {
  return { path, format, block: false, directIo: opensDirect(path) };
}

/** Kernel and initrd of a kernel boot image, where the domain XML expects them, unless virt-handler put them there. */
function linkKernelBoot(vmi: VirtualMachineInstance, paths: LauncherPaths): void {
  if (!existsSync(paths.kernelBoot)) return;
  const container = vmi.spec.domain.firmware?.kernelBoot?.container;
  for (const path of [container?.kernelPath, container?.initrdPath])
    if (path !== undefined && path !== '')
      linkOnce(findContainerDisk(paths.kernelBoot, path), paths.kernelFile(path));
}

/** The link is swapped in whole, so that the domain never meets a half-made one. */
function linkOnce(target: string, path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.partial-${process.pid}`;
  symlinkSync(target, partial);
  renameSync(partial, path);
}

function opensDirect(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_RDONLY | constants.O_DIRECT));
    return true;
  } catch {
    // tmpfs and some network file systems refuse O_DIRECT; the caller then chooses another cache mode.
    return false;
  }
}
