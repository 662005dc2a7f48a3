/** Ends a process that may not be our child: asks, waits, then kills. */
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '@podvisor/sys';

/** True when it ended by itself within `graceMs`. */
export async function endProcess(pid: number, graceMs: number): Promise<boolean> {
  signal(pid, 'SIGTERM');
  // Another's child gives no exit event; a pidfd would, but this runs once, for seconds at most.
  for (let waited = 0; waited < graceMs; waited += 25) {
    if (!isAlive(pid)) return true;
    await delay(25);
  }
  signal(pid, 'SIGKILL');
  while (isAlive(pid)) await delay(10);
  return false;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // gone already
  }
}
