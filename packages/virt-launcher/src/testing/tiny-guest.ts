/**
 * A guest of one boot sector, for tests: greets on the serial port, echoes what is typed, and powers off
 * on `q` or when the ACPI power button is pressed. Boots in the blink that SeaBIOS needs. It counts its boots in
 * the second sector of its disk.
 */
import { bootDisk, type Piece, word } from './boot-sector.ts';

/** Memory that holds the sector with the count. */
const COUNTER = 0x7e00;
const DX = 0xba;
const AX = 0xb8;

const program = ({ countSector, countSectors, panics }: Required<TinyGuestSpec>): readonly Piece[] => [
  [0xfb], // sti: the timer interrupt wakes the loop below
  [0x31, 0xc0, 0x8e, 0xd8, 0x8e, 0xc0], // ds = es = 0
  [0xbb, ...word(COUNTER), 0xb9, ...word(countSector + 1), 0xb6, 0], // bx = buffer, cylinder 0, the sector, head 0; dl is the drive
  [AX, ...word(0x0200 + countSectors), 0xcd, 0x13], // read the sectors
  [0xff, 0x06, ...word(COUNTER)], // inc word [buffer]
  [AX, ...word(0x0300 + countSectors), 0xcd, 0x13], // write them back
  ...(panics ? [[DX, ...word(0x505), 0xb0, 1, 0xee]] : []), // pvpanic: the guest has panicked
  [DX, ...word(0x602), AX, ...word(0x0100), 0xef], // ICH9 PM1_EN: power button
  [0xbe], // mov si, greeting
  { address: 'greeting' },
  { label: 'print' },
  [0xac, 0x84, 0xc0, 0x74], // lodsb; test al,al; jz loop
  { near: 'loop' },
  [0xe8], // call putc
  { far: 'putc' },
  [0xeb], // jmp print
  { near: 'print' },
  { label: 'loop' },
  [0xf4], // hlt
  [DX, ...word(0x600), 0xed, 0xf6, 0xc4, 0x01, 0x75], // PM1_STS: power button pressed? jnz off
  { near: 'off' },
  [DX, ...word(0x3fd), 0xec, 0xa8, 0x01, 0x74], // a byte from the serial port? jz loop
  { near: 'loop' },
  [DX, ...word(0x3f8), 0xec, 0x3c, 0x71, 0x74], // 'q'? je off
  { near: 'off' },
  [0xe8], // call putc
  { far: 'putc' },
  [0xeb], // jmp loop
  { near: 'loop' },
  { label: 'off' },
  [DX, ...word(0x604), AX, ...word(0x2000), 0xef, 0xf4], // ICH9 PM1_CNT: S5
  { label: 'putc' },
  [0x88, 0xc3], // mov bl, al
  { label: 'wait' },
  [DX, ...word(0x3fd), 0xec, 0xa8, 0x20, 0x74], // port ready? jz wait
  { near: 'wait' },
  [0x88, 0xd8, DX, ...word(0x3f8), 0xee, 0xc3], // out; ret
  { label: 'greeting' },
  [...Buffer.from('tiny guest says hello\r\n\0')],
];

export interface TinyGuestSpec {
  /** Where it counts its boots, from 0; default the second sector. */
  readonly countSector?: number;
  /** How many sectors it writes when it counts, up to 64; default one. */
  readonly countSectors?: number;
  /** Tells its panic device (model isa) that it has panicked. */
  readonly panics?: boolean;
}

/** A raw disk image of 1 MiB that boots the tiny guest. */
export function tinyGuestDisk({
  countSector = 1,
  countSectors = 1,
  panics = false,
}: TinyGuestSpec = {}): Buffer {
  return bootDisk(program({ countSector, countSectors, panics }));
}

/** How often a guest booted from the image. */
export function tinyGuestBoots(disk: Buffer): number {
  return disk.readUInt16LE(512);
}
