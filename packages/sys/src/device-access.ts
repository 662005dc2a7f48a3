/**
 * Which devices the processes of a container may open. Version 1 control groups keep a list that can be added
 * to; version 2 has only whole programs in the kernel, which belong to the container runtime.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupVersion } from './host-facts.ts';

const HIERARCHY = '/sys/fs/cgroup/devices';

/** Lets the container of process `pid` use a block device (`rdev` as stat(2) gives it), or not any more. */
export function setBlockDeviceAccess(pid: number, rdev: number, allowed: boolean): void {
  if (cgroupVersion() === 2)
    throw new Error(
      'a block device cannot be plugged into a running Pod on this node: its cgroup version 2 leaves the list of devices to the container runtime. Use a Filesystem claim',
    );
  const line = readFileSync(`/proc/${pid}/cgroup`, 'utf8')
    .split('\n')
    .find((entry) => entry.split(':')[1]?.split(',').includes('devices'));
  const path = line?.split(':').slice(2).join(':');
  if (path === undefined || path === '/')
    throw new Error(`process ${pid} has no control group for devices of its own`);
  const { major, minor } = splitDeviceNumber(rdev);
  const file = join(HIERARCHY, path, allowed ? 'devices.allow' : 'devices.deny');
  writeFileSync(file, `b ${major}:${minor} rwm`);
}

/** As gnu_dev_major(3) and gnu_dev_minor(3). */
export function splitDeviceNumber(rdev: number): { readonly major: number; readonly minor: number } {
  const high = Math.floor(rdev / 2 ** 32);
  const low = rdev % 2 ** 32;
  return {
    major: ((low >>> 8) & 0xfff) + (high & 0xfffff000),
    minor: (low & 0xff) | ((low >>> 12) & 0xfff00),
  };
}
