/**
 * What a lost node means for a guest: the times by which its lease is judged, and whether it has one. Pure.
 *
 * Two facts keep a guest where it is, and each alone suffices: its launcher renews a lease on the storage of its
 * disks, and its node's virt-handler renews a Lease in the API. A launcher ends its QEMU before both are over by its
 * own clock; nobody starts the guest elsewhere before both are over by the observer's own clock. No clock is ever
 * compared with another machine's.
 */
import { claimName } from '../storage/volume-claims.ts';
import type { VirtualMachineInstance, Volume } from '../types/index.ts';

export interface NodeLossTimes {
  /** The lease on the storage is over when nobody has renewed it for so long. */
  readonly leaseMs: number;
  /** A node is lost when its virt-handler has not been heard of for so long. */
  readonly silenceMs: number;
}

/** `spec.configuration.nodeLoss` of the KubeVirt object. */
export const nodeLossBounds = {
  leaseSeconds: { min: 4, max: 300, default: 16 },
  silenceSeconds: { min: 4, max: 600, default: 20 },
} as const;

/** Times of a configuration; what is out of bounds (an object that no webhook saw) counts as the nearest bound. */
export function nodeLossTimes(
  own: { readonly leaseSeconds?: number; readonly silenceSeconds?: number } = {},
): NodeLossTimes {
  return {
    leaseMs: within(own.leaseSeconds, nodeLossBounds.leaseSeconds) * 1000,
    silenceMs: within(own.silenceSeconds, nodeLossBounds.silenceSeconds) * 1000,
  };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

function within(value: number | undefined, bounds: Bounds): number {
  if (value === undefined || !Number.isFinite(value)) return bounds.default;
  return Math.min(bounds.max, Math.max(bounds.min, value));
}

/** How often a lease of this length is renewed: four times, so that a slow write or two do no harm. */
export function renewEveryMs(leaseMs: number): number {
  return leaseMs / 4;
}

/**
 * How long after its last sign of life QEMU must have been ended. The last quarter of the time is the safety margin:
 * for the signal to be sent and obeyed, and for clocks that run at different speeds.
 */
export function fenceAfterMs(periodMs: number): number {
  return (periodMs * 3) / 4;
}

/** How often virt-handler renews its Lease. */
export function handlerRenewMs({ silenceMs }: NodeLossTimes): number {
  return Math.min(10_000, silenceMs / 4);
}

/** Where a guest keeps its lease, or why it has none. */
export type LeasePlace =
  | { readonly kind: 'volume'; readonly volume: string; readonly claim: string }
  | { readonly kind: 'none'; readonly reason: string; readonly message: string };

/**
 * A guest has a lease when every disk that outlives its Pod is on a claim that several nodes can use, and one of
 * them is a file system, beside whose image the lease lies. One lease is enough for all disks: QEMU ends as a whole.
 */
export function leasePlace(vmi: VirtualMachineInstance): LeasePlace {
  const { disks = [], filesystems = [] } = vmi.spec.domain.devices;
  const used = new Set([...disks, ...filesystems].map(({ name }) => name));
  const volumes = (vmi.spec.volumes ?? []).filter(({ name }) => used.has(name));
  const bound = volumes.find(({ hostDisk }) => hostDisk !== undefined);
  if (bound !== undefined)
    return none(
      'DiskIsLocal',
      `volume ${bound.name} is a file of its node: no other node can read a lease there`,
    );
  const claims = volumes.filter((volume) => claimName(volume) !== undefined);
  if (claims.length === 0)
    return none(
      'NoSharedDisk',
      'no disk is on a claim, so there is no storage that another node could read a lease from',
    );
  const local = claims.find((volume) => !isShared(vmi, volume));
  if (local !== undefined)
    return none(
      'DiskIsLocal',
      `claim ${claimName(local)} of volume ${local.name} is not ReadWriteMany: no other node can read a lease there`,
    );
  const home = claims.find((volume) => holdsLease(vmi, volume));
  if (home === undefined)
    return none(
      'NoPlaceForLease',
      'a lease is a file beside a disk image, and no disk of its own is an image on a claim with a file system that was there at the start; a further disk of 1Mi on such a claim (ReadWriteMany, volumeMode Filesystem) would hold the lease for all of them',
    );
  return { kind: 'volume', volume: home.name, claim: claimName(home) ?? '' };
}

function none(reason: string, message: string): LeasePlace {
  return { kind: 'none', reason, message };
}

function infoOf(vmi: VirtualMachineInstance, { name }: Volume) {
  return vmi.status?.volumeStatus?.find((status) => status.name === name)?.persistentVolumeClaimInfo;
}

function isShared(vmi: VirtualMachineInstance, volume: Volume): boolean {
  return infoOf(vmi, volume)?.accessModes?.includes('ReadWriteMany') ?? false;
}

/** Not plugged in (it may go), not shared with other guests, and a file system. */
function holdsLease(vmi: VirtualMachineInstance, volume: Volume): boolean {
  const disk = vmi.spec.domain.devices.disks?.find(({ name }) => name === volume.name);
  const isOwn = disk !== undefined && disk.cdrom === undefined && disk.shareable !== true;
  const source = volume.persistentVolumeClaim ?? volume.dataVolume;
  const isReadOnly = disk?.disk?.readonly === true || volume.persistentVolumeClaim?.readOnly === true;
  const isFileSystem = infoOf(vmi, volume)?.volumeMode !== 'Block';
  return isOwn && !isReadOnly && source !== undefined && source.hotpluggable !== true && isFileSystem;
}

/** Somebody's word, on a Node, that its machine is off. */
export interface FenceRequest {
  /** RFC 3339. */
  readonly at: string;
  /** Also while virt-handler of the node is heard of. */
  readonly forced?: boolean;
}
