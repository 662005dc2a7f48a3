/**
 * Ends QEMU at a given time, unless the time is moved in good time. It is a process of its own, in a session of its
 * own, that does nothing but sleep: it needs neither this launcher (which may be stopped or busy), nor libvirtd, nor
 * virt-handler, nor any file. First it stops QEMU, from when on that writes nothing; a while later it kills it. In
 * between a launcher that slept (its Pod was frozen) may still learn that nobody has given up the guest.
 */
import { type ChildProcess, spawn } from 'node:child_process';

export interface SwitchTarget {
  /** Of QEMU. */
  readonly pid: number;
  /** From now until QEMU is stopped. */
  readonly stopInMs: number;
  /** From then until it is killed. */
  readonly killAfterMs: number;
}

// Only a QEMU is ended: its number may have become somebody else's. `sleep` takes fractions.
const SCRIPT = `
is_qemu() { case $(cat /proc/$1/comm 2>/dev/null) in qemu*) return 0;; esac; return 1; }
sleep "$2"; is_qemu "$1" || exit; kill -STOP "$1"
sleep "$3"; is_qemu "$1" || exit; kill -KILL "$1"
`;

export class DeadMansSwitch {
  #armed: ChildProcess | undefined;

  /** The new one is armed before the old one is let go of. */
  arm({ pid, stopInMs, killAfterMs }: SwitchTarget): void {
    const old = this.#armed;
    const seconds = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(3);
    const child = spawn(
      '/bin/sh',
      ['-c', SCRIPT, 'fence', `${pid}`, seconds(stopInMs), seconds(killAfterMs)],
      {
        detached: true,
        stdio: 'ignore',
      },
    );
    // Without a process to fork nobody guards the guest: the old switch stays, and strikes.
    child.once('error', () => undefined);
    if (child.pid === undefined) return;
    this.#armed = child;
    if (old !== undefined) letGo(old);
  }

  disarm(): void {
    if (this.#armed !== undefined) letGo(this.#armed);
    this.#armed = undefined;
  }
}

/** With its `sleep`, which is in the same process group. */
function letGo(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended by itself
  }
}
