/** A handle on a process that can never come to mean another one (pidfd_open(2)). */
import { checked } from './libc.ts';
import { OwnedFd } from './owned-fd.ts';

const SYS_PIDFD_OPEN = 434;

/** Throws SystemCallError with code `ESRCH` when there is no such process. */
export function pidfdOpen(pid: number): OwnedFd {
  return new OwnedFd(checked('pidfd_open', String(pid), (c) => c.pidfdOpen(SYS_PIDFD_OPEN, pid, 0)));
}
