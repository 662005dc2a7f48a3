/**
 * A guest of one boot sector, for tests of migration: it fills its memory and then counts for ever in 128 pages, the
 * same number in each. A write that is lost on the way shows as a page that is behind the others.
 */
export const COUNTED = { startBytes: 0x10_0000, pages: 128, pageBytes: 4096 } as const;

const dword = (value: number): readonly number[] => [0, 8, 16, 24].map((shift) => (value >> shift) & 0xff);

const PROGRAM: readonly number[] = [
  ...[0xfa, 0x31, 0xc0, 0x8e, 0xd8], // no interrupts, ds = 0
  ...[0x0f, 0x01, 0x16, 0x70, 0x7c], // lgdt
  ...[0x0f, 0x20, 0xc0, 0x0c, 0x01, 0x0f, 0x22, 0xc0], // protected mode
  ...[0xea, 0x17, 0x7c, 0x08, 0x00], // far jump to the next line
  ...[0x66, 0xb8, 0x10, 0x00, 0x8e, 0xd8, 0x8e, 0xd0], // flat data segments
  ...[0xe4, 0x92, 0x0c, 0x02, 0xe6, 0x92], // the 21st address line
  ...[0xbb, ...dword(0x20_0000)], // memory that is not zero takes its time to be sent
  ...[0x89, 0x1b, 0x89, 0x9b, ...dword(512), 0x81, 0xc3, ...dword(4096)],
  ...[0x81, 0xfb, ...dword(0x780_0000), 0x72, 0xea],
  ...[0xbb, ...dword(COUNTED.startBytes)], // add one to each page, for ever
  ...[0xff, 0x03, 0x81, 0xc3, ...dword(COUNTED.pageBytes)],
  ...[0x81, 0xfb, ...dword(COUNTED.startBytes + COUNTED.pages * COUNTED.pageBytes), 0x72, 0xf0, 0xeb, 0xe9],
  0x90,
  ...[...dword(0), ...dword(0)], // descriptors: none, code, data
  ...[0xff, 0xff, 0x00, 0x00, 0x00, 0x9a, 0xcf, 0x00],
  ...[0xff, 0xff, 0x00, 0x00, 0x00, 0x92, 0xcf, 0x00],
  ...[0x17, 0x00, 0x58, 0x7c, 0x00, 0x00], // their size and place
];

/** The image of a disk (or floppy) that it boots from. */
export function countingGuest(): Buffer {
  const sector = Buffer.alloc(512);
  sector.set(PROGRAM);
  sector.writeUInt16LE(0xaa55, 510);
  return sector;
}

/** What it has counted to, page by page, in a copy of the memory that holds its counters. */
export function countsIn(memory: Buffer): readonly number[] {
  return Array.from({ length: COUNTED.pages }, (_, page) => memory.readUInt32LE(page * COUNTED.pageBytes));
}
