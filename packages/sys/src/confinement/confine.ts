/** What a process can take from itself before it becomes another program: privileges, system calls. */
import { checked, libc } from '../libc.ts';

/** linux/prctl.h */
const PR_SET_SECCOMP = 22;
const PR_SET_NO_NEW_PRIVS = 38;
const SECCOMP_MODE_FILTER = 2;

/** No program that is executed from here on gains privileges (setuid bits, file capabilities). */
export function setNoNewPrivileges(): void {
  checked('prctl', 'no_new_privs', (c) => c.prctl(PR_SET_NO_NEW_PRIVS, 1, null, 0, 0));
}

/** Of a seccomp filter: which calls are refused, by architecture. */
interface RefusedCalls {
  readonly audit: number;
  readonly refused: readonly number[];
}

/** System calls that a tool which converts files has no use for, by architecture (asm/unistd.h). */
const TOOL_CALLS: Readonly<Record<string, RefusedCalls>> = {
  x64: {
    audit: 0xc000003e,
    // socket, connect, accept, sendto, bind, listen, socketpair, ptrace, mount, umount2, init_module, accept4,
    // unshare, setns, process_vm_readv, process_vm_writev, bpf, userfaultfd, keyctl, io_uring_setup, pidfd_getfd
    refused: [
      41, 42, 43, 44, 49, 50, 53, 101, 165, 166, 175, 288, 272, 308, 310, 311, 321, 323, 250, 425, 438,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    refused: [
      198, 203, 202, 206, 200, 201, 199, 117, 40, 39, 105, 242, 97, 268, 270, 271, 280, 282, 219, 425, 438,
    ],
  },
};

/** linux/bpf_common.h, linux/seccomp.h */
export const LOAD_WORD = 0x20;
export const JUMP_EQUAL = 0x15;
export const JUMP_IF_BITS = 0x45;
const JUMP_GREATER_OR_EQUAL = 0x35;
export const RETURN = 0x06;
export const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
/** SECCOMP_RET_ERRNO with an errno. */
const errno = (value: number): number => 0x00050000 | value;
export const REFUSE = errno(1); // EPERM
export const UNKNOWN_CALL = errno(38); // ENOSYS
/** System calls of the x32 variant begin here: another way to the same calls. */
const X32 = 0x40000000;

/** Refuses network, other processes and kernel interfaces to this thread and to what it executes. */
export function setToolFilter(architecture: string = process.arch): void {
  const known = TOOL_CALLS[architecture];
  if (known === undefined) throw new Error(`no list of system calls for ${architecture}`);
  install(filterProgram(known.audit, known.refused));
}

/** Puts a filter on this thread, and so on what it executes. Needs no_new_privs, or CAP_SYS_ADMIN. */
export function install(program: readonly Instruction[]): void {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [i, [code, whenTrue, whenFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(whenTrue, i * 8 + 2);
    bytes.writeUInt8(whenFalse, i * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, i * 8 + 4);
  }
  const { koffi } = libc();
  checked('prctl', 'seccomp', (c) =>
    c.prctl(
      PR_SET_SECCOMP,
      SECCOMP_MODE_FILTER,
      { length: program.length, filter: koffi.as(bytes, 'uint8_t *') },
      0,
      0,
    ),
  );
}

export type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/** Pure: classic BPF over `struct seccomp_data` (number at 0, architecture at 4). */
export function filterProgram(
  audit: number,
  refused: readonly number[],
  /** Decides about the rest; the last instruction must return. */
  rest: readonly Instruction[] = [[RETURN, 0, 0, ALLOW]],
): readonly Instruction[] {
  const count = refused.length;
  return [
    [LOAD_WORD, 0, 0, 4],
    [JUMP_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD_WORD, 0, 0, 0],
    [JUMP_GREATER_OR_EQUAL, count, 0, X32],
    ...refused.map((number, i): Instruction => [JUMP_EQUAL, count - 1 - i, i === count - 1 ? 1 : 0, number]),
    [RETURN, 0, 0, REFUSE],
    ...rest,
  ];
}
