/**
 * Ends QEMU at a given time, unless the time is moved in good time. It is a process of its own, in a session of its
 * own, that does nothing but sleep: it needs neither this launcher (which may be stopped or busy), nor libvirtd, nor
 * virt-handler, nor any file of the guest's. First it stops QEMU, from when on that writes nothing; a while later it
 * kills it. In between a launcher that slept (its Pod was frozen) may still learn that nobody has given up the guest.
 *
 * It is told a time and not a duration, and it is the switch that lets a stopped QEMU go on: a launcher that stands
 * still at any place in here and goes on later moves nothing. A machine that was suspended counts that time too.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { machineTimeMs } from './machine-time.ts';

export interface SwitchTarget {
  /** Of QEMU. */
  readonly pid: number;
  /** When QEMU is stopped, by the machine's monotonic clock. */
  readonly stopAtMs: number;
  /** From then until it is killed. */
  readonly killAfterMs: number;
  /** An earlier arming may have stopped QEMU: it goes on, if the time is not over. One that others stopped stays so. */
  readonly mayBeStopped?: boolean;
}

// Times are hundredths of a second since the machine was started (proc(5), uptime). Only a QEMU is ended: its number
// may have become somebody else's. `sleep` takes fractions.
const SCRIPT = `
is_qemu() { case $(cat /proc/$1/comm 2>/dev/null) in qemu*) return 0;; esac; return 1; }
left() { read -r up _ < /proc/uptime; echo $(($1 - \${up%.*}\${up#*.})); }
for old in $5; do kill -KILL "-$old" 2>/dev/null; done
[ "$4" = continue ] && is_qemu "$1" && [ "$(left "$2")" -gt 0 ] && kill -CONT "$1"
while wait=$(left "$2"); [ "$wait" -gt 0 ]; do sleep "$((wait / 100)).$(printf %02d $((wait % 100)))"; done
is_qemu "$1" || exit; kill -STOP "$1"
sleep "$3"; is_qemu "$1" || exit; kill -KILL "$1"
`;

export class DeadMansSwitch {
  /** The last one counts; those before it end when it begins. */
  readonly #armed = new Set<ChildProcess>();

  /** The new one is armed before the old one is let go of. */
  arm({ pid, stopAtMs, killAfterMs, mayBeStopped = false }: SwitchTarget): void {
    // In this order: who stands still between the two makes the time shorter. Read as the switch will read it.
    const nowSeconds = Number.parseFloat(readFileSync('/proc/uptime', 'latin1'));
    const stopInMs = stopAtMs - machineTimeMs();
    const stopAt = Math.floor(nowSeconds * 100 + stopInMs / 10);
    const old = [...this.#armed].flatMap(({ pid: group }) => group ?? []).join(' ');
    const child = spawn(
      '/bin/sh',
      [
        '-c',
        SCRIPT,
        'fence',
        `${pid}`,
        `${stopAt}`,
        (Math.max(0, killAfterMs) / 1000).toFixed(3),
        mayBeStopped ? 'continue' : '',
        old,
      ],
      { detached: true, stdio: 'ignore' },
    );
    // Without a process to fork nobody guards the guest: the old switch stays, and strikes.
    child.once('error', () => undefined);
    if (child.pid === undefined) return;
    this.#armed.add(child);
    child.once('exit', () => this.#armed.delete(child));
  }

  disarm(): void {
    for (const child of this.#armed) letGo(child);
    this.#armed.clear();
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
