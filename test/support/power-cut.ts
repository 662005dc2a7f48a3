/** Ends every process of an instance at once, as a power cut would; what was on disk stays. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Instance } from './instance.ts';

export function cutPower(instance: Instance): void {
  // A second round catches what was being started during the first.
  for (let round = 0; round < 2; round += 1)
    for (const pid of processesOf(instance))
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself, or with its parent.
      }
}

/** Programs of the home by their command line (the supervisor first, or it starts them again), Pods by cgroup. */
function processesOf({ home, name }: Instance): readonly number[] {
  const found: { readonly pid: number; readonly command: string }[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
      const isOurs = command.includes(`${home}/`) || command.includes(`--home\0${home}`);
      const inPod = readFileSync(`/proc/${entry}/cgroup`, 'utf8').includes(`/podvisor/${name}/`);
      if (isOurs || inPod) found.push({ pid, command });
    } catch {
      // ended while we looked
    }
  }
  const rank = (command: string): number => (command.includes('supervis') ? 0 : 1);
  return found.toSorted((a, b) => rank(a.command) - rank(b.command)).map(({ pid }) => pid);
}
