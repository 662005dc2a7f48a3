/**
 * A guest of one boot sector, for tests, that writes as long as it runs. Each run has a number, one more than the run
 * before it, and a sector of its own, where it counts about nine times a second; it counts on when the disk has taken
 * the last write. It boots in the blink that SeaBIOS needs, and takes next to no CPU time.
 */
import { bootDisk, word } from './boot-sector.ts';

/** Runs of one disk, after which sectors are used again. */
export const MOST_RUNS = 60;
const SECTOR_BYTES = 512;
const FIRST_SECTOR = 2;
/** What of the image has entries. */
export const ENTRIES_BYTES = (FIRST_SECTOR + MOST_RUNS) * SECTOR_BYTES;

/** Places in the guest's memory: sector 1 with the number of the last run, the entry, its sector, and the drive. */
const RUN = 0x7e00;
const ENTRY = 0x8000;
const PLACE = 0x8200;
const DRIVE = 0x8202;

const program = [
  [0xfb], // sti: the timer interrupt wakes the loop below
  [0x31, 0xc0, 0x8e, 0xd8, 0x8e, 0xc0], // ds = es = 0
  [0x88, 0x16, ...word(DRIVE)], // mov [DRIVE], dl
  [0xbb, ...word(RUN), 0xb9, ...word(2), 0xb6, 0], // bx = buffer, cylinder 0, sector 1, head 0
  [0xb8, ...word(0x0201), 0xcd, 0x13], // read it
  [0xff, 0x06, ...word(RUN)], // inc word [RUN]
  [0xb8, ...word(0x0301), 0xcd, 0x13], // write it back
  [0xa1, ...word(RUN), 0xa3, ...word(ENTRY)], // the entry begins with the number of the run
  [0xb1, MOST_RUNS, 0xf6, 0xf1], // ah = run % MOST_RUNS
  [0x88, 0xe1, 0x80, 0xc1, FIRST_SECTOR + 1, 0xb5, 0], // cl = ah + the first sector, from 1; ch = 0
  [0x89, 0x0e, ...word(PLACE)], // mov [PLACE], cx
  [0x0f, 0x31, 0x66, 0xa3, ...word(ENTRY + 2)], // rdtsc: tells two runs of one number apart
  [0x66, 0xc7, 0x06, ...word(ENTRY + 6), 0, 0, 0, 0], // the count is 0
  { label: 'count' },
  [0x66, 0xff, 0x06, ...word(ENTRY + 6)], // inc dword [count]
  { label: 'write' },
  [0xf4, 0xf4], // hlt, twice
  [0xbb, ...word(ENTRY), 0x8b, 0x0e, ...word(PLACE), 0x8a, 0x16, ...word(DRIVE), 0xb6, 0],
  [0xb8, ...word(0x0301), 0xcd, 0x13, 0x72], // write the entry; jc write
  { near: 'write' },
  [0xeb], // jmp count
  { near: 'count' },
] as const;

/** A raw disk image of 1 MiB that boots it. */
export function tickingGuestDisk(): Buffer {
  return bootDisk(program);
}

export interface Tick {
  readonly run: number;
  /** Drawn at its boot. */
  readonly nonce: number;
  readonly count: number;
}

/** The last entries of all runs, from the first `ENTRIES_BYTES` of the image. Pure. */
export function ticksOf(disk: Buffer): readonly Tick[] {
  return Array.from({ length: MOST_RUNS }, (_, index) => {
    const at = (FIRST_SECTOR + index) * SECTOR_BYTES;
    return { run: disk.readUInt16LE(at), nonce: disk.readUInt32LE(at + 2), count: disk.readUInt32LE(at + 6) };
  }).filter(({ run }) => run > 0);
}
