/** How much of a guest's memory its QEMU has for itself: the largest mapping of the process, as the kernel counts it. */
import { readFileSync } from 'node:fs';

export interface GuestMemory {
  readonly sizeBytes: number;
  /** Shared pages count in parts. */
  readonly usedBytes: number;
}

interface Mapping extends GuestMemory {
  readonly isShared: boolean;
}

export function guestMemory(pid: number): GuestMemory {
  return largestMapping(readFileSync(`/proc/${pid}/smaps`, 'utf8'));
}

/** Of the text of smaps. Pure. */
export function largestMapping(smaps: string): GuestMemory {
  const { sizeBytes, usedBytes } = smaps
    .split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/)
    // QEMU keeps gigabytes of addresses for translated code; the guest's memory is what it may not execute.
    .filter((text) => /^\S+ rw-/.test(text))
    .map((text) => ({
      sizeBytes: kilobytes(text, 'Size'),
      usedBytes: kilobytes(text, 'Pss'),
      isShared: /^.*\/\.shared-memory\/memory\b/.test(text),
    }))
    // Memory that begins as that of other copies is a file; a guest that touches nothing has little of it.
    .reduce((found, one) => (isRather(one, found) ? one : found), {
      sizeBytes: 0,
      usedBytes: 0,
      isShared: false,
    });
  return { sizeBytes, usedBytes };
}

function isRather(one: Mapping, other: Mapping): boolean {
  if (one.isShared !== other.isShared) return one.isShared;
  return one.isShared ? one.sizeBytes > other.sizeBytes : one.usedBytes > other.usedBytes;
}

function kilobytes(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
}
