/** The few commands of bpf(2) that programs for devices of a control group need. Needs root. */
import { arch } from 'node:process';
import { checked, libc, SystemCallError } from '../libc.ts';
import { OwnedFd } from '../files/owned-fd.ts';

/** asm/unistd.h. */
const SYS_BPF = arch === 'arm64' ? 280 : 321;
/** linux/bpf.h: commands. */
const PROG_LOAD = 5;
const PROG_ATTACH = 8;
const PROG_GET_FD_BY_ID = 13;
const OBJ_GET_INFO_BY_FD = 15;
const PROG_QUERY = 16;
/** linux/bpf.h: kinds and flags. */
const TYPE_CGROUP_DEVICE = 15;
const ATTACH_CGROUP_DEVICE = 6;
const ALLOW_MULTI = 2;
const REPLACE = 4;
/** Layout of union bpf_attr; the kernel takes zeros for what it does not know. */
const ATTR_BYTES = 128;
const INFO_BYTES = 256;
const XLATED_LENGTH = 20;
const XLATED_POINTER = 32;
const MAX_PROGRAMS = 64;
const LOG_BYTES = 16 * 1024;
const INSTRUCTION_BYTES = 8;

/** Loads a program that decides about devices; `code` are instructions as in the kernel's memory. */
export function loadDeviceProgram(code: Uint8Array): OwnedFd {
  using instructions = new Memory(code.length, code);
  using licence = new Memory(4, Buffer.from('GPL\0'));
  using log = new Memory(LOG_BYTES);
  const attr = Buffer.alloc(ATTR_BYTES);
  attr.writeUInt32LE(TYPE_CGROUP_DEVICE, 0);
  attr.writeUInt32LE(code.length / INSTRUCTION_BYTES, 4);
  attr.writeBigUInt64LE(instructions.address, 8);
  attr.writeBigUInt64LE(licence.address, 16);
  attr.writeUInt32LE(1, 24);
  attr.writeUInt32LE(LOG_BYTES, 28);
  attr.writeBigUInt64LE(log.address, 32);
  attr.write('podvisor_dev', 48, 'latin1');
  try {
    return new OwnedFd(load(attr));
  } catch (error) {
    const words = log.bytes().toString('latin1').split('\0')[0]?.trim() ?? '';
    if (words === '') throw error;
    throw new Error(`the kernel refused the program for devices: ${words.slice(-500)}`, { cause: error });
  }
}

const LOAD_TRIES = 5;

/** While a signal waits for us the kernel does not go on looking at a program, and wants to be asked again. */
function load(attr: Buffer): number {
  for (let tries = 1; ; tries += 1) {
    try {
      return bpf(PROG_LOAD, 'a program for devices', attr);
    } catch (error) {
      if (tries === LOAD_TRIES || !(error instanceof SystemCallError) || error.code !== 'EAGAIN') throw error;
    }
  }
}

/** The programs for devices that are attached to the control group itself. The caller closes them. */
export function deviceProgramsOf(cgroup: OwnedFd): readonly OwnedFd[] {
  using ids = new Memory(MAX_PROGRAMS * 4);
  const attr = Buffer.alloc(ATTR_BYTES);
  attr.writeUInt32LE(cgroup.fd, 0);
  attr.writeUInt32LE(ATTACH_CGROUP_DEVICE, 4);
  attr.writeBigUInt64LE(ids.address, 16);
  attr.writeUInt32LE(MAX_PROGRAMS, 24);
  using shared = new Memory(ATTR_BYTES, attr);
  bpfAt(PROG_QUERY, 'the programs of a control group', shared);
  const count = shared.bytes().readUInt32LE(24);
  const found = ids.bytes();
  return Array.from({ length: count }, (_, i) => {
    const request = Buffer.alloc(ATTR_BYTES);
    request.writeUInt32LE(found.readUInt32LE(i * 4), 0);
    return new OwnedFd(bpf(PROG_GET_FD_BY_ID, 'a program', request));
  });
}

/** The instructions of a loaded program, as the kernel runs them. */
export function instructionsOf(program: OwnedFd): Buffer {
  const ask = (code: Memory | undefined, length: number): Buffer => {
    const info = Buffer.alloc(INFO_BYTES);
    info.writeUInt32LE(length, XLATED_LENGTH);
    if (code !== undefined) info.writeBigUInt64LE(code.address, XLATED_POINTER);
    using answer = new Memory(INFO_BYTES, info);
    const attr = Buffer.alloc(ATTR_BYTES);
    attr.writeUInt32LE(program.fd, 0);
    attr.writeUInt32LE(INFO_BYTES, 4);
    attr.writeBigUInt64LE(answer.address, 8);
    bpf(OBJ_GET_INFO_BY_FD, 'a program', attr);
    return answer.bytes();
  };
  const length = ask(undefined, 0).readUInt32LE(XLATED_LENGTH);
  using code = new Memory(length);
  ask(code, length);
  return code.bytes();
}

/** Puts `program` beside those of the control group, or in the place of `instead`. */
export function attachDeviceProgram(cgroup: OwnedFd, program: OwnedFd, instead?: OwnedFd): void {
  const attr = Buffer.alloc(ATTR_BYTES);
  attr.writeUInt32LE(cgroup.fd, 0);
  attr.writeUInt32LE(program.fd, 4);
  attr.writeUInt32LE(ATTACH_CGROUP_DEVICE, 8);
  attr.writeUInt32LE(ALLOW_MULTI | (instead === undefined ? 0 : REPLACE), 12);
  if (instead !== undefined) attr.writeUInt32LE(instead.fd, 16);
  bpf(PROG_ATTACH, 'a program to a control group', attr);
}

function bpf(command: number, what: string, attr: Buffer): number {
  using memory = new Memory(attr.length, attr);
  return bpfAt(command, what, memory);
}

function bpfAt(command: number, what: string, memory: Memory): number {
  return checked('bpf', what, (c) => c.bpf(SYS_BPF, command, memory.address, ATTR_BYTES));
}

/** Memory that stays where it is: the kernel is told addresses of addresses. */
class Memory implements Disposable {
  readonly address: bigint;
  readonly #pointer: unknown;
  readonly #length: number;

  constructor(length: number, content?: Uint8Array) {
    const { koffi } = libc();
    this.#length = length;
    this.#pointer = koffi.alloc('uint8_t', Math.max(length, 1));
    this.address = koffi.address(this.#pointer);
    const view = new Uint8Array(koffi.view(this.#pointer, length));
    view.fill(0);
    if (content !== undefined) view.set(content);
  }

  /** A copy of what is there now. */
  bytes(): Buffer {
    return Buffer.from(new Uint8Array(libc().koffi.view(this.#pointer, this.#length)));
  }

  [Symbol.dispose](): void {
    libc().koffi.free(this.#pointer);
  }
}
