/**
 * Which devices the processes of a container may open. Version 1 control groups keep a list that can be added
 * to. Version 2 has programs in the kernel, all of which must agree, those of groups above, too: each one that the
 * container runtime put there is replaced by itself with the device allowed before its first instruction.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachDeviceProgram, deviceProgramsOf, instructionsOf, loadDeviceProgram } from './bpf.ts';
import { withDevice } from './device-program.ts';
import { containerGroups } from './pod-cgroup.ts';
import { cgroupVersion } from '../host-facts.ts';
import { listMounts } from '../files/mounts.ts';
import { openDirectory } from '../files/open-beneath.ts';

const HIERARCHY = '/sys/fs/cgroup/devices';

/** Lets the container of process `pid` use a block device (`rdev` as stat(2) gives it), or not any more. */
export function setBlockDeviceAccess(pid: number, rdev: number, allowed: boolean): void {
  if (cgroupVersion() === 2) return setBlockDeviceAccessV2(pid, rdev, allowed);
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

/** The same, in the hierarchy of version 2 wherever it is mounted, in all groups of the container. A group without programs may use every device. */
export function setBlockDeviceAccessV2(pid: number, rdev: number, allowed: boolean): void {
  const root = listMounts().findLast(({ fsType }) => fsType === 'cgroup2')?.mountPoint;
  const path = /^0::(.+)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1];
  if (root === undefined || path === undefined || path === '/' || path.includes('..'))
    throw new Error(`process ${pid} has no control group of its own that can be seen from here`);
  for (const group of containerGroups(path)) setInGroup(join(root, group), rdev, allowed);
}

function setInGroup(path: string, rdev: number, allowed: boolean): void {
  using group = openDirectory(path);
  for (const present of deviceProgramsOf(group)) {
    using old = present;
    const code = instructionsOf(old);
    const changed = withDevice(code, splitDeviceNumber(rdev), allowed);
    if (code.equals(changed)) continue;
    using program = loadDeviceProgram(changed);
    attachDeviceProgram(group, program, old);
  }
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
