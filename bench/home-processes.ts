/**
 * CPU time and memory of the processes of a home. CPU time is steady on a machine that others use, where wall time
 * is not: figures that are compared over days are those.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds of CPU by process; a process with what its children used that have ended. */
export type CpuTimes = ReadonlyMap<string, number>;

export class HomeProcesses {
  readonly pids: ReadonlyMap<string, number>;

  /** Those that run now. Kubelets are part of the node agent. */
  constructor(home: string) {
    const run = join(home, 'run');
    const names = readdirSync(run).flatMap((file) => /^(?!kubelet-)(.+)\.pid$/.exec(file)?.[1] ?? []);
    this.pids = new Map(
      names.map((name) => [name, Number(readFileSync(join(run, `${name}.pid`), 'utf8').split(' ')[0])]),
    );
  }

  cpu(): CpuTimes {
    return new Map([...this.pids].map(([name, pid]) => [name, cpuMs(pid)]));
  }

  /** MiB by process. */
  memory(): ReadonlyMap<string, { readonly rss: number; readonly pss: number }> {
    return new Map(
      [...this.pids].map(([name, pid]) => [
        name,
        { rss: kilobytes(`/proc/${pid}/status`, 'VmRSS'), pss: pssMiB(pid) },
      ]),
    );
  }
}

/** Milliseconds of CPU for each of `operations`, by process, the costly ones first. Pure. */
export function cpuPerOperation(before: CpuTimes, after: CpuTimes, operations: number): CpuTimes {
  const rows = [...after].map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / operations] as const);
  return new Map(rows.toSorted((a, b) => b[1] - a[1]));
}

/** `12.3 ms (control-plane 8.0, virt-api 4.3)`. Pure. */
export function describeCpu(times: CpuTimes): string {
  const total = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  const parts = [...times].filter(([, ms]) => ms >= 0.01).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return `${total.toFixed(2)} ms (${parts.join(', ')})`;
}

/** PSS in MiB; 0 for a process that is gone. */
export function pssMiB(pid: number): number {
  return kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss');
}

function kilobytes(file: string, field: string): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Fields 14 to 17 of proc(5) stat, in ticks of 10 ms. */
export function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
  } catch {
    return 0;
  }
}
