/** A program of one boot sector for guests of tests: bytes of real-mode code with labels between them. */
export type Piece =
  | readonly number[]
  | { readonly label: string }
  /** Distance to a label, in one byte or in two. */
  | { readonly near: string }
  | { readonly far: string }
  | { readonly address: string };

/** Where the BIOS puts a boot sector. */
const ORIGIN = 0x7c00;

/** Two bytes, the lower first. */
export const word = (value: number): readonly number[] => [value & 0xff, value >> 8];

/** A raw disk image of 1 MiB that boots the program. */
export function bootDisk(program: readonly Piece[]): Buffer {
  const disk = Buffer.alloc(1024 * 1024);
  Buffer.from(assemble(program)).copy(disk);
  disk.writeUInt16LE(0xaa55, 510);
  return disk;
}

function assemble(pieces: readonly Piece[]): number[] {
  const size = (piece: Piece): number =>
    'length' in piece ? piece.length : 'label' in piece ? 0 : 'near' in piece ? 1 : 2;
  const labels = new Map<string, number>();
  let at = 0;
  for (const piece of pieces) {
    if ('label' in piece) labels.set(piece.label, at);
    at += size(piece);
  }
  const code: number[] = [];
  for (const piece of pieces) {
    const target = (name: string): number => labels.get(name) ?? 0;
    if ('length' in piece) code.push(...piece);
    else if ('near' in piece) code.push((target(piece.near) - code.length - 1) & 0xff);
    else if ('far' in piece) code.push(...word((target(piece.far) - code.length - 2) & 0xffff));
    else if ('address' in piece) code.push(...word(ORIGIN + target(piece.address)));
  }
  return code;
}
