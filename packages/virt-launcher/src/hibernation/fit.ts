/**
 * Whether a guest that was saved as one domain can go on in another. Everything that the guest can see must be the
 * same: CPU, memory, machine, devices. Where files and sockets are on the node may differ. Pure.
 */
import { type Domain, withoutNumbersMonitor } from '@podvisor/translate';
import type { PodDisk } from './pod-disks.ts';

/** Places of the model that the guest does not see, or that are made anew for each launcher Pod. */
const UNSEEN: readonly RegExp[] = [
  /^metadata\b/,
  // The one of the state is used: where it is not there, libvirt says so.
  /^devices\.emulator$/,
  /^devices\.disks\.\d+\.(source|backingStore|driver\.(io|cache|discard))\b/,
  /^devices\.interfaces\.\d+\.(target|source|backend|mac)\b/,
  /^devices\.(graphics|serials|consoles|channels|filesystems|videos)\.\d+\.(source|listen|socket|target\.path|log)\b/,
  /^cpuTune\b/,
  /^memory\w*\.(source|allocation)\b/,
];
const MAX_TOLD = 5;

/** Sentences on what differs; empty when the state fits. */
export function misfits(saved: Domain, now: Domain, alsoUnseen: readonly RegExp[] = []): readonly string[] {
  const unseen = [...UNSEEN, ...alsoUnseen];
  const before = new Map(leaves(withoutNumbersMonitor(saved)));
  const after = new Map(leaves(withoutNumbersMonitor(now)));
  const places = [...new Set([...before.keys(), ...after.keys()])];
  const told = places.flatMap((place) => {
    if (unseen.some((pattern) => pattern.test(place)) || before.get(place) === after.get(place)) return [];
    return [`${place} was ${before.get(place) ?? 'absent'} and is ${after.get(place) ?? 'absent'}`];
  });
  return told.length <= MAX_TOLD ? told : [...told.slice(0, MAX_TOLD), `and ${told.length - MAX_TOLD} more`];
}

/** Disks of the Pod that are gone, or are overlays of another image now. */
export function differingBase(saved: readonly PodDisk[], now: readonly PodDisk[]): readonly string[] {
  return saved.flatMap(({ volume, base }) => {
    const disk = now.find((candidate) => candidate.volume === volume);
    if (disk === undefined) return [`the disk of volume ${volume} is gone`];
    return disk.base === base ? [] : [`the image of volume ${volume} is not the one that the guest had`];
  });
}

function leaves(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leaves(inner, path === '' ? name : `${path}.${name}`),
  );
}
