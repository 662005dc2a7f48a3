/**
 * Cuts a control group off from a block device: its reads and writes wait in the kernel until that is undone, those of
 * others go on. As far as the group can tell, the storage does not answer.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupDirectories } from './cgroups/cgroups.ts';

/** One byte a second: nothing comes through. 0 and `max` are no limit. */
const V1 = ['blkio.throttle.read_bps_device', 'blkio.throttle.write_bps_device'];

/** `device`: `major:minor`. Of the group and all below it. Answers how many groups it reached. */
export function stallDevice(path: string, device: string, stalled: boolean): number {
  return cgroupDirectories(path)
    .flatMap(withBelow)
    .filter((dir) => set(dir, device, stalled)).length;
}

function set(dir: string, device: string, stalled: boolean): boolean {
  const v1 = V1.map((file) => join(dir, file)).filter((file) => existsSync(file));
  for (const file of v1) writeFileSync(file, `${device} ${stalled ? 1 : 0}`);
  const v2 = join(dir, 'io.max');
  if (existsSync(v2)) writeFileSync(v2, `${device} rbps=${stalled ? 1 : 'max'} wbps=${stalled ? 1 : 'max'}`);
  return v1.length > 0 || existsSync(v2);
}

function withBelow(dir: string): readonly string[] {
  const below = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [dir, ...below.flatMap(({ name }) => withBelow(join(dir, name)))];
}
