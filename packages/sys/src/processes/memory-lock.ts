/** How much memory a process may lock (setrlimit(2), RLIMIT_MEMLOCK). */
import { readFileSync } from 'node:fs';
import { firstNames } from '../files/first-names.ts';
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

/** More than a launcher or libvirtd has. One that was taken over starts as many as its Pod may. */
const MAX_THREADS = 256;

/** Process `pid` and what it has started, and so on, parents first; the first `most` of them. */
export function processTree(
  pid: number,
  most: number,
  read: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): readonly number[] {
  const found = new Set([pid]);
  let threads = 0;
  for (const parent of found)
    for (const thread of threadsOf(parent)) {
      if (found.size >= most || ++threads > MAX_THREADS) return [...found];
      for (const child of childrenOf(`/proc/${parent}/task/${thread}/children`, read))
        if (found.size < most) found.add(child);
    }
  return [...found];
}

/** None: the process has ended. */
function threadsOf(pid: number): readonly string[] {
  try {
    return firstNames(`/proc/${pid}/task`, MAX_THREADS);
  } catch {
    return [];
  }
}

/** Each thread has the children that it made. None: it has ended. */
function childrenOf(path: string, read: (path: string) => string): readonly number[] {
  try {
    return read(path).split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
