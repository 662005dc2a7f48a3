/** Programs for devices of a version 2 control group, in the kernel; the group is made beside everything else. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { attachDeviceProgram, deviceProgramsOf, instructionsOf, loadDeviceProgram } from './bpf.ts';
import { setBlockDeviceAccessV2 } from './device-access.ts';
import { listMounts } from '../files/mounts.ts';
import { openDirectory } from '../files/open-beneath.ts';

const root = listMounts().findLast(({ fsType }) => fsType === 'cgroup2')?.mountPoint;

/** As container runtimes write them: kind, access, major and minor in registers, one rule after the other. */
const onlyMemoryDevices = Buffer.concat(
  [
    [0x61, 0x12, 0, 0], // r2 = kind and access
    [0x54, 0x02, 0, 0xffff], // w2 &= the kind
    [0x61, 0x13, 0, 0],
    [0x74, 0x03, 0, 16], // w3 >>= the access
    [0x61, 0x14, 4, 0],
    [0x61, 0x15, 8, 0],
    [0x55, 0x02, 4, 2], // a character device
    [0xbc, 0x31, 0, 0], // w1 = w3
    [0x55, 0x04, 2, 1], // major 1
    [0xb7, 0x00, 0, 1],
    [0x95, 0x00, 0, 0],
    [0xb7, 0x00, 0, 0],
    [0x95, 0x00, 0, 0],
  ].map(([code = 0, registers = 0, offset = 0, value = 0]) => {
    const bytes = Buffer.from([code, registers, 0, 0, 0, 0, 0, 0]);
    bytes.writeInt16LE(offset, 2);
    bytes.writeInt32LE(value, 4);
    return bytes;
  }),
);

test('a device is allowed beyond what the programs of a group allow, and taken back', {
  skip:
    root === undefined || !existsSync('/dev/loop1')
      ? 'no version 2 hierarchy is mounted, or there are no loop devices'
      : false,
}, async () => {
  const path = join(root ?? '', `pv-test-devices-${process.pid}`);
  mkdirSync(path);
  const sleeper = spawn('sleep', ['60']);
  try {
    writeFileSync(join(path, 'cgroup.procs'), String(sleeper.pid));
    using group = openDirectory(path);
    const codes = (): readonly string[] =>
      deviceProgramsOf(group).map((present) => {
        using program = present;
        return instructionsOf(program).toString('hex');
      });
    assert.deepEqual(codes(), []);
    setBlockDeviceAccessV2(sleeper.pid ?? 0, 7 << 8, true);
    assert.deepEqual(codes(), [], 'a group without programs needs none');
    {
      using program = loadDeviceProgram(onlyMemoryDevices);
      attachDeviceProgram(group, program);
    }
    const before = codes();
    assert.equal(before.length, 1);
    const opens = (device: string): boolean => {
      try {
        // The shell joins the group, and the program that it becomes is judged by it.
        execFileSync(
          'sh',
          ['-c', `echo $$ > ${path}/cgroup.procs && exec dd if=${device} count=0 status=none`],
          {
            stdio: 'ignore',
          },
        );
        return true;
      } catch {
        return false;
      }
    };
    const [first, second] = ['/dev/loop0', '/dev/loop1'];
    const number = (device: string): number => statSync(device).rdev;
    assert.deepEqual([opens(first), opens(second), opens('/dev/null')], [false, false, true]);
    setBlockDeviceAccessV2(sleeper.pid ?? 0, number(first), true);
    assert.deepEqual([opens(first), opens(second)], [true, false]);
    setBlockDeviceAccessV2(sleeper.pid ?? 0, number(second), true);
    setBlockDeviceAccessV2(sleeper.pid ?? 0, number(second), true);
    assert.deepEqual([opens(first), opens(second), opens('/dev/null')], [true, true, true]);
    assert.equal(opens('/dev/net/tun'), false, 'the rest is refused as before');
    setBlockDeviceAccessV2(sleeper.pid ?? 0, number(first), false);
    assert.deepEqual([opens(first), opens(second)], [false, true]);
    setBlockDeviceAccessV2(sleeper.pid ?? 0, number(second), false);
    assert.deepEqual(codes(), before, 'the program is what it was');
  } finally {
    sleeper.kill('SIGKILL');
    await once(sleeper, 'exit');
    rmdirSync(path);
  }
});

test('a container that is two groups deep gets the device from both, and its Pod stays as it is', {
  skip:
    root === undefined || !existsSync('/dev/loop1')
      ? 'no version 2 hierarchy is mounted, or there are no loop devices'
      : false,
}, async () => {
  // As crun does it for CRI-O: programs for devices are in the scope and in the group below it.
  const names = [`pv-test-crun-${process.pid}`, `pod${randomUUID()}`, 'crio-1.scope', 'container'];
  const paths = names.map((_, index) => join(root ?? '', ...names.slice(0, index + 1)));
  const [, pod = '', scope = '', container = ''] = paths;
  for (const path of paths) mkdirSync(path);
  const sleeper = spawn('sleep', ['60']);
  try {
    writeFileSync(join(container, 'cgroup.procs'), String(sleeper.pid));
    for (const path of [pod, scope, container]) {
      using group = openDirectory(path);
      using program = loadDeviceProgram(onlyMemoryDevices);
      attachDeviceProgram(group, program);
    }
    const changed = (path: string): boolean => {
      using group = openDirectory(path);
      return deviceProgramsOf(group).some((present) => {
        using program = present;
        return instructionsOf(program).length > onlyMemoryDevices.length;
      });
    };
    setBlockDeviceAccessV2(sleeper.pid ?? 0, statSync('/dev/loop0').rdev, true);
    assert.deepEqual([pod, scope, container].map(changed), [false, true, true]);
    setBlockDeviceAccessV2(sleeper.pid ?? 0, statSync('/dev/loop0').rdev, false);
    assert.deepEqual([pod, scope, container].map(changed), [false, false, false]);
  } finally {
    sleeper.kill('SIGKILL');
    await once(sleeper, 'exit');
    for (const path of paths.toReversed()) rmdirSync(path);
  }
});
