/** What the whole machine uses. */
import { readFileSync } from 'node:fs';
import type { CgroupUsage } from './cgroup-usage.ts';

/** Length of a tick of /proc/stat, on every Linux that we know. */
const TICK_NANOSECONDS = 10_000_000;

/** CPU time since boot, and memory that is in use. */
export function machineUsage(): CgroupUsage {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/).map(Number) ?? [];
  const memory = readFileSync('/proc/meminfo', 'utf8');
  const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(memory)?.[1] ?? 0);
  return {
    cpuNanoseconds: (user + nice + system + irq + softirq + steal) * TICK_NANOSECONDS,
    workingSetBytes: (kib('MemTotal') - kib('MemAvailable')) * 1024,
  };
}
