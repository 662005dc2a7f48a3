/** A seccomp filter in which `setgroups` is answered, and not done. */
import { ALLOW, type Instruction, install, JUMP_EQUAL, LOAD_WORD, RETURN } from './confine.ts';

/** SECCOMP_RET_ERRNO with 0: the caller is told that it succeeded. */
const DONE = 0x00050000;

/** By architecture: its number for auditing, and that of `setgroups` (asm/unistd.h). */
const CALLS: Readonly<Record<string, readonly [audit: number, setgroups: number]>> = {
  x64: [0xc000003e, 116],
  arm64: [0xc00000b7, 159],
};

/** For this thread and what it executes. Needs no_new_privs, or CAP_SYS_ADMIN. */
export function keepGroups(architecture: string = process.arch): void {
  install(keepGroupsProgram(architecture));
}

/** Pure. Calls of other architectures are none of its business: it takes nothing away that protects anybody. */
export function keepGroupsProgram(architecture: string): readonly Instruction[] {
  const known = CALLS[architecture];
  if (known === undefined) throw new Error(`no number of setgroups for ${architecture}`);
  const [audit, setgroups] = known;
  return [
    [LOAD_WORD, 0, 0, 4],
    [JUMP_EQUAL, 0, 3, audit],
    [LOAD_WORD, 0, 0, 0],
    [JUMP_EQUAL, 0, 1, setgroups],
    [RETURN, 0, 0, DONE],
    [RETURN, 0, 0, ALLOW],
  ];
}
