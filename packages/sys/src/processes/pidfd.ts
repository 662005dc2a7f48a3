/** A handle on a process that can never come to mean another one (pidfd_open(2)). */
import { constants } from 'node:os';
import { checked, SystemCallError } from '../libc.ts';
import { OwnedFd } from '../files/owned-fd.ts';
import { startTicks } from './process.ts';

/** asm-generic/unistd.h: the same numbers on every architecture. */
const SYS_PIDFD_SEND_SIGNAL = 424;
const SYS_PIDFD_OPEN = 434;

/** Throws SystemCallError with code `ESRCH` when there is no such process. */
export function pidfdOpen(pid: number): OwnedFd {
  return new OwnedFd(checked('pidfd_open', String(pid), (c) => c.pidfdOpen(SYS_PIDFD_OPEN, pid, 0)));
}

/** Signals the process that began at `ticks` (`startTicks`), and no other that has its number by now. False: it is gone. */
export function signalProcess(pid: number, ticks: string, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    using process = pidfdOpen(pid);
    if (startTicks(pid) !== ticks) return false;
    checked(signal, String(pid), (c) =>
      c.pidfdSendSignal(SYS_PIDFD_SEND_SIGNAL, process.fd, constants.signals[signal], null, 0),
    );
    return true;
  } catch (error) {
    if (error instanceof SystemCallError && error.code === 'ESRCH') return false;
    throw error;
  }
}
