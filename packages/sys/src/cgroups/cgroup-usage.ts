/** What the processes of a control group use, v1 and v2 alike. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupDirectories } from './cgroups.ts';

export interface CgroupUsage {
  /** CPU time since the group was made. */
  readonly cpuNanoseconds: number;
  /** Memory that cannot be taken back easily: all but inactive pages of files. */
  readonly workingSetBytes: number;
}

/** Undefined when the group is not there, or its hierarchies do not count. */
export function cgroupUsage(path: string): CgroupUsage | undefined {
  let [cpu, memory]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const dir of cgroupDirectories(path)) {
    cpu ??= numberIn(dir, 'cpuacct.usage') ?? scaled(field(dir, 'cpu.stat', 'usage_usec'), 1000);
    const used = numberIn(dir, 'memory.usage_in_bytes') ?? numberIn(dir, 'memory.current');
    if (used === undefined) continue;
    const inactive =
      field(dir, 'memory.stat', 'total_inactive_file') ?? field(dir, 'memory.stat', 'inactive_file') ?? 0;
    memory ??= Math.max(0, used - inactive);
  }
  return cpu === undefined || memory === undefined
    ? undefined
    : { cpuNanoseconds: cpu, workingSetBytes: memory };
}

function read(dir: string, file: string): string | undefined {
  try {
    return readFileSync(join(dir, file), 'utf8');
  } catch {
    // Every hierarchy has other files; a group may also vanish between two looks.
    return undefined;
  }
}

function numberIn(dir: string, file: string): number | undefined {
  const text = read(dir, file);
  return text === undefined ? undefined : Number(text);
}

function field(dir: string, file: string, name: string): number | undefined {
  const line = read(dir, file)
    ?.split('\n')
    .find((row) => row.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

function scaled(value: number | undefined, by: number): number | undefined {
  return value === undefined ? undefined : value * by;
}
