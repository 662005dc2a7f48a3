/**
 * The seccomp filter of the parts that need no privileges: everything that Node and SQLite use passes, and
 * what belongs to the kernel's administration, to other processes or to new namespaces does not. No process
 * can be made: a part that is broken into cannot start a shell beside itself.
 */
import {
  ALLOW,
  filterProgram,
  install,
  type Instruction,
  JUMP_EQUAL,
  JUMP_IF_BITS,
  LOAD_WORD,
  REFUSE,
  RETURN,
  UNKNOWN_CALL,
} from './confine.ts';

interface DaemonCalls {
  readonly audit: number;
  readonly clone: number;
  readonly refused: readonly number[];
}

/** Calls whose number is the same everywhere (they came after 5.1): io_uring, new mount API, pidfd_getfd, mount_setattr. */
const COMMON = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442];
const CLONE3 = 435;
/** linux/sched.h */
const CLONE_THREAD = 0x00010000;
/** Of `struct seccomp_data`: the first argument, low word. */
const FIRST_ARGUMENT = 16;

/** asm/unistd.h, in the order of the names below. */
const CALLS: Readonly<Record<string, DaemonCalls>> = {
  // ptrace, process_vm_readv, process_vm_writev, kcmp, perf_event_open, userfaultfd, bpf
  // mount, umount2, pivot_root, chroot, mknodat, name_to_handle_at, open_by_handle_at, fanotify_init, quotactl
  // swapon, swapoff, reboot, kexec_load, kexec_file_load, init_module, finit_module, delete_module, acct, syslog
  // settimeofday, clock_settime, clock_adjtime, adjtimex, sethostname, setdomainname, personality
  // add_key, request_key, keyctl, unshare, setns; and on x86-64 also
  // mknod, iopl, ioperm, modify_ldt, uselib, vhangup, fork, vfork
  x64: {
    audit: 0xc000003e,
    clone: 56,
    refused: [
      101, 310, 311, 312, 298, 323, 321, 165, 166, 155, 161, 259, 303, 304, 300, 179, 167, 168, 169, 246, 320,
      175, 313, 176, 163, 103, 164, 227, 305, 159, 170, 171, 135, 248, 249, 250, 272, 308, 133, 172, 173, 154,
      134, 153, 57, 58,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    refused: [
      117, 270, 271, 272, 241, 282, 280, 40, 39, 41, 51, 33, 264, 265, 262, 60, 224, 225, 142, 104, 294, 105,
      273, 106, 89, 116, 170, 112, 266, 171, 161, 162, 92, 217, 218, 219, 97, 268,
    ],
  },
};

/** True when this kind of machine has a filter. */
export function hasDaemonFilter(architecture: string = process.arch): boolean {
  return CALLS[architecture] !== undefined;
}

export function setDaemonFilter(architecture: string = process.arch): void {
  install(daemonProgram(architecture));
}

/** Pure. Threads may be made, processes may not; the C library asks for clone3 first and takes no for an answer. */
export function daemonProgram(architecture: string): readonly Instruction[] {
  const calls = CALLS[architecture];
  if (calls === undefined) throw new Error(`no list of system calls for ${architecture}`);
  return filterProgram(
    calls.audit,
    [...calls.refused, ...COMMON],
    [
      [JUMP_EQUAL, 0, 1, CLONE3],
      [RETURN, 0, 0, UNKNOWN_CALL],
      [JUMP_EQUAL, 1, 0, calls.clone],
      [RETURN, 0, 0, ALLOW],
      [LOAD_WORD, 0, 0, FIRST_ARGUMENT],
      [JUMP_IF_BITS, 0, 1, CLONE_THREAD],
      [RETURN, 0, 0, ALLOW],
      [RETURN, 0, 0, REFUSE],
    ],
  );
}
