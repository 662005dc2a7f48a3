/** The processes of one Pod, found by their cgroup. */
import { readdirSync, readFileSync } from 'node:fs';

export interface PodProcess {
  readonly pid: number;
  readonly command: string;
}

export function podProcesses(podUid: string): readonly PodProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/cgroup`, 'utf8').includes(podUid)) return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), command }];
      } catch {
        return []; // ended while we looked
      }
    });
}

/** The one process of the Pod whose command matches. */
export function podProcess(podUid: string, pattern: RegExp): PodProcess {
  const found = podProcesses(podUid).filter((p) => pattern.test(p.command));
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(
      `${found.length} processes match ${pattern} in Pod ${podUid}: ${found.map((p) => p.command.slice(0, 60)).join(' | ')}`,
    );
  return found[0];
}
