/**
 * Images out of containers: a process with a mount namespace and a root of its own stands for the container, and the
 * program that holds the image is the real one.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { requireUid } from '@podvisor/base';
import { listMounts } from '@podvisor/sys';
import type { PlannedImage } from './plan.ts';
import { hideImages, showImage } from './show.ts';

const UID = requireUid('6d5ee2f1-5a4a-4b57-9a2e-0d6a1f7e1c11', 'Pod');
const SOURCE = join(import.meta.dirname, '../../../virt-launcher/src/container-disk.c');
/** Our own user: the test has no cgroup of a Pod. */
const CHECKS = { uid: 0, isInPod: () => true };

describe('images that containers hold', { concurrency: 1 }, () => {
  let home: string;
  let program: string;
  let directory: string;
  const running: ChildProcess[] = [];

  before(() => {
    home = mkdtempSync('/var/tmp/pv-held-');
    // As a kubelet's directory may be, and an emptyDir in it that others are to see mounts in.
    execFileSync('mount', ['--bind', '--make-shared', home, home]);
    program = join(home, 'container-disk');
    execFileSync('gcc', ['-D_GNU_SOURCE', '-Os', '-static', '-o', program, SOURCE]);
    directory = join(home, 'container-disks');
    mkdirSync(directory);
    execFileSync('mount', ['--bind', directory, directory]);
  });
  after(() => {
    for (const child of running) child.kill('SIGKILL');
    hideImages(directory);
    execFileSync('umount', ['--recursive', '--lazy', home]);
    rmSync(home, { recursive: true, force: true });
  });

  /** A container whose root is a file system that only it has mounted, with the files that `fill` makes. */
  const hold = (name: string, fill: string): ChildProcess => {
    const root = join(home, `root-${name}`);
    mkdirSync(root);
    const script = [
      `mount -t tmpfs image ${root} && cd ${root} && mkdir disk share proc && ${fill}`,
      `cp ${program} container-disk && mount --bind ${directory} share`,
      `exec chroot ${root} /container-disk --copy-path /share/${name}`,
    ].join(' && ');
    const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-ec', script], {
      stdio: 'inherit',
    });
    running.push(child);
    return child;
  };
  const disk = (name: string, path?: string): PlannedImage => ({
    volume: name,
    socket: `${name}.sock`,
    isDisk: true,
    files: [{ name: `${name}.img`, ...(path === undefined ? {} : { path }) }],
  });
  const show = (image: PlannedImage): Promise<void> => showImage(directory, UID, image, CHECKS);

  test('a disk is shown read-only, and stays when its container ends', async () => {
    const container = hold('disk_0', 'echo content > disk/root.raw');
    await show(disk('disk_0'));
    const path = join(directory, 'disk_0.img');
    assert.equal(readFileSync(path, 'utf8'), 'content\n');
    assert.throws(() => writeFileSync(path, 'x'), /EROFS/);
    const ended = once(container, 'exit');
    container.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], 'the program ends when it is told to');
    assert.equal(readFileSync(path, 'utf8'), 'content\n');
    assert.equal(process.cwd(), process.env['PWD'] ?? process.cwd(), 'we are back where we were');
    assert.ok(existsSync(import.meta.filename));
  });

  test('a kernel and its initrd come into a directory of their own', async () => {
    hold('kernel-boot', 'mkdir boot && echo k > boot/vmlinuz && echo i > boot/initrd');
    const files = ['vmlinuz', 'initrd'].map((name) => ({
      name,
      directory: 'kernel-boot',
      path: `/boot/${name}`,
    }));
    await show({ volume: 'kernel-boot-volume', socket: 'kernel-boot.sock', isDisk: false, files });
    assert.equal(readFileSync(join(directory, 'kernel-boot/vmlinuz'), 'utf8'), 'k\n');
    assert.equal(readFileSync(join(directory, 'kernel-boot/initrd'), 'utf8'), 'i\n');
  });

  const hostile: readonly (readonly [string, string, RegExp])[] = [
    ['a link out of the image', `ln -s ${'../'.repeat(12)}etc/passwd disk/a`, /no such file/],
    ['a link to a file of the node', 'ln -s /etc/passwd disk/a', /no such file/],
    [
      'a magic link',
      'mount -t proc proc proc && ln -s /proc/self/root/etc/passwd disk/a',
      /cannot be opened/,
    ],
    ['a file of another mount', 'mount -t tmpfs other disk && echo x > disk/a', /cannot be opened/],
    ['a device', 'mknod disk/a c 1 5', /not a regular file/],
    ['a pipe', 'mkfifo disk/a', /not a regular file/],
    [
      'a disk with a backing file',
      'qemu-img create -q -f qcow2 -F raw -b /etc/passwd -u disk/a 1M',
      /backing file/,
    ],
    ['an empty image', 'true', /exactly one file in \/disk, but it holds 0/],
  ];
  for (const [index, [what, fill, problem]] of hostile.entries())
    test(`${what} is not shown`, async () => {
      const name = `disk_${index + 1}`;
      hold(name, fill);
      await assert.rejects(show(disk(name)), problem);
      assert.equal(existsSync(join(directory, `${name}.img`)), false);
    });

  test('somebody who is not of the Pod is not believed, nor is a socket that is a link', async () => {
    hold('disk_20', 'echo content > disk/root.raw');
    const strangers = { ...CHECKS, isInPod: () => false };
    await assert.rejects(showImage(directory, UID, disk('disk_20'), strangers), /listens where a container/);
    await assert.rejects(
      showImage(directory, UID, disk('disk_20'), { ...CHECKS, uid: 107 }),
      /of user 0 listens/,
    );
    symlinkSync('disk_20.sock', join(directory, 'disk_21.sock'));
    await assert.rejects(show(disk('disk_21')), /ELOOP/);
  });

  test('what the launcher put in the place of a disk is replaced, not followed', async () => {
    writeFileSync(join(home, 'victim'), 'mine');
    symlinkSync(join(home, 'victim'), join(directory, 'disk_22.img'));
    hold('disk_22', 'echo content > disk/root.raw');
    await show(disk('disk_22'));
    assert.equal(readFileSync(join(home, 'victim'), 'utf8'), 'mine');
    assert.equal(readFileSync(join(directory, 'disk_22.img'), 'utf8'), 'content\n');
  });

  test('in the end nothing is mounted, and the containers end', async () => {
    const last = running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    assert.ok(last.length > 0);
    const ends = Promise.all(last.map((child) => once(child, 'exit')));
    hideImages(directory);
    assert.deepEqual(
      listMounts().filter(({ mountPoint }) => mountPoint.startsWith(`${directory}/`)),
      [],
    );
    for (const [code] of await ends) assert.equal(code, 0);
    assert.ok(statSync(join(directory, 'ended')).isFile());
    execFileSync('umount', [directory]);
    rmSync(directory, { recursive: true });
    hideImages(directory);
  });
});
