/** How much memory a process may lock (setrlimit(2), RLIMIT_MEMLOCK). */
import { readdirSync, readFileSync } from 'node:fs';
import { checked, SystemCallError } from '../libc.ts';

/** asm-generic/resource.h. */
const RLIMIT_MEMLOCK = 8;
/** RLIM_INFINITY as the current limit and as the highest one: two words of 64 bits. */
const NO_LIMIT = new Uint8Array(16).fill(0xff);

/**
 * The process, and what it starts from now on, may lock any amount: its cgroup bounds its memory. Needs CAP_SYS_RESOURCE.
 * One that has ended is nobody's trouble.
 */
export function liftMemoryLock(pid: number): void {
  try {
    checked('prlimit', `process ${pid}`, (c) => c.prlimit(pid, RLIMIT_MEMLOCK, NO_LIMIT, null));
  } catch (error) {
    if (!(error instanceof SystemCallError && error.code === 'ESRCH')) throw error;
  }
}

/** Process `pid` and what it has started, and so on, parents first; the first `most` of them. */
export function processTree(pid: number, most: number): readonly number[] {
  const found = [pid];
  for (let next = 0; next < found.length && found.length < most; next++)
    for (const child of childrenOf(found[next] ?? 0))
      if (found.length < most && !found.includes(child)) found.push(child);
  return found;
}

/** Each thread has the children that it made. None: the process has ended. */
function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
