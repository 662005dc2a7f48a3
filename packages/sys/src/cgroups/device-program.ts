/**
 * Programs that decide which devices a control group may use (cgroup v2). The container runtime's own program stays
 * as it is; what is allowed beyond it stands before its first instruction. Pure. Instructions: linux/bpf.h.
 */

export interface BlockDevice {
  readonly major: number;
  readonly minor: number;
}

const BYTES = 8;
/** Opcodes: load 32 bits, 64-bit AND and move of a constant, jump if not equal to a constant, end. */
const LOAD_WORD = 0x61;
const AND = 0x57;
const JUMP_NOT_EQUAL = 0x55;
const MOVE = 0xb7;
const EXIT = 0x95;
/** struct bpf_cgroup_dev_ctx: kind (low half) and access (high half), major, minor; a pointer to it is in r1. */
const KIND = 0;
const MAJOR = 4;
const MINOR = 8;
const KIND_MASK = 0xffff;
const BLOCK = 1;

interface Instruction {
  readonly code: number;
  readonly to?: number;
  readonly from?: number;
  readonly offset?: number;
  readonly value?: number;
}

/** Returns 1 for the device; goes on behind itself for all others. */
function allowing({ major, minor }: BlockDevice): Uint8Array {
  return encode([
    { code: LOAD_WORD, to: 2, from: 1, offset: KIND },
    { code: AND, to: 2, value: KIND_MASK },
    { code: JUMP_NOT_EQUAL, to: 2, offset: 6, value: BLOCK },
    { code: LOAD_WORD, to: 2, from: 1, offset: MAJOR },
    { code: JUMP_NOT_EQUAL, to: 2, offset: 4, value: major },
    { code: LOAD_WORD, to: 2, from: 1, offset: MINOR },
    { code: JUMP_NOT_EQUAL, to: 2, offset: 2, value: minor },
    { code: MOVE, to: 0, value: 1 },
    { code: EXIT },
  ]);
}

const PROLOGUE_BYTES = allowing({ major: 0, minor: 0 }).length;
const MAJOR_VALUE = 4 * BYTES + 4;
const MINOR_VALUE = 6 * BYTES + 4;

/** What was put before a program, newest first, and the program itself. */
export function readProgram(code: Uint8Array): {
  readonly allowed: readonly BlockDevice[];
  readonly own: Uint8Array;
} {
  const allowed: BlockDevice[] = [];
  let rest = code;
  for (;;) {
    const device = deviceOf(rest);
    if (device === undefined) return { allowed, own: rest };
    allowed.push(device);
    rest = rest.subarray(PROLOGUE_BYTES);
  }
}

/** The program with a device allowed beyond what it allows itself, or not any more. */
export function withDevice(code: Uint8Array, device: BlockDevice, isAllowed: boolean): Uint8Array {
  const { allowed, own } = readProgram(code);
  const others = allowed.filter(({ major, minor }) => major !== device.major || minor !== device.minor);
  const wanted = isAllowed ? [device, ...others] : others;
  return Buffer.concat([...wanted.map(allowing), own]);
}

function deviceOf(code: Uint8Array): BlockDevice | undefined {
  if (code.length <= PROLOGUE_BYTES) return undefined;
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  const device = { major: view.getInt32(MAJOR_VALUE, true), minor: view.getInt32(MINOR_VALUE, true) };
  return Buffer.from(allowing(device)).equals(code.subarray(0, PROLOGUE_BYTES)) ? device : undefined;
}

function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(instructions.length * BYTES);
  for (const [i, { code, to = 0, from = 0, offset = 0, value = 0 }] of instructions.entries()) {
    bytes.writeUInt8(code, i * BYTES);
    bytes.writeUInt8((from << 4) | to, i * BYTES + 1);
    bytes.writeInt16LE(offset, i * BYTES + 2);
    bytes.writeInt32LE(value, i * BYTES + 4);
  }
  return bytes;
}
