/**
 * Names of disks in the guest's eyes (`vda`, `sdb`). A name once given stays with its volume, because a guest that is
 * migrated or gets another disk must not see its disks renamed; free letters are given in order.
 */
import { memberOf } from '@podvisor/base';
import type { VirtualMachineInstance } from '@podvisor/api';

const PREFIXES: Readonly<Record<string, string>> = {
  virtio: 'vd',
  sata: 'sd',
  scsi: 'sd',
  usb: 'sd',
  fdc: 'fd',
};

/** A disk that needs a name; one of unknown kind (`bus` undefined) gets none. */
export interface NamedDisk {
  readonly name: string;
  readonly bus: string | undefined;
}

/** What a disk is called, and its position among those of the same prefix. */
export interface DiskTarget {
  readonly dev: string;
  readonly index: number;
}

/** Device names, in the order of the disks. */
export function assignTargets(
  vmi: VirtualMachineInstance,
  disks: readonly NamedDisk[],
): readonly DiskTarget[] {
  const known = new Map(
    (vmi.status?.volumeStatus ?? []).flatMap(({ name, target }) => (target ? [[name, target]] : [])),
  );
  const taken = new Set(disks.flatMap(({ name }) => known.get(name) ?? []));
  return disks.map(({ name, bus }) => {
    if (bus === undefined) return { dev: '', index: 0 };
    const prefix = memberOf(PREFIXES, bus) ?? '';
    const kept = known.get(name);
    if (kept?.startsWith(prefix)) return { dev: kept, index: indexOfLetters(kept.slice(prefix.length)) };
    let index = 0;
    while (taken.has(`${prefix}${lettersOf(index)}`)) index += 1;
    const dev = `${prefix}${lettersOf(index)}`;
    taken.add(dev);
    return { dev, index };
  });
}

/** 0 → a, 25 → z, 26 → aa. */
export function lettersOf(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : lettersOf(Math.floor(index / 26) - 1) + letter;
}

function indexOfLetters(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1;
}
