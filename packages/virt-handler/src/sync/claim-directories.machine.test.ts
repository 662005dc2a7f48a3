import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, lstatSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { OwnedFd } from '@podvisor/sys';
import { claimMounts, giveClaim, may } from './claim-directories.ts';

const QEMU = 107;

test('who may use a directory is told by owner, group and others', () => {
  assert.ok(!may({ uid: 0, gid: 0, mode: 0o40750 }, QEMU, 0o3));
  assert.ok(may({ uid: 0, gid: QEMU, mode: 0o40770 }, QEMU, 0o3));
  assert.ok(may({ uid: 0, gid: 0, mode: 0o40777 }, QEMU, 0o3));
  assert.ok(may({ uid: 0, gid: 0, mode: 0o40755 }, QEMU, 0o1));
  // An owner has the owner's rights and no others.
  assert.ok(!may({ uid: QEMU, gid: QEMU, mode: 0o40077 }, QEMU, 0o1));
});

/** A claim only root may enter, one for all, one with an image, and a directory that is no mount. */
const LAUNCHER = `
mount -t tmpfs run /run && cd /run && mkdir -p kubevirt-private/vmi-disks && cd kubevirt-private/vmi-disks
for volume in closed open full; do mkdir $volume && mount -t tmpfs -o mode=750 $volume $volume; done
chmod 777 open; mkdir -m 750 planted; touch full/disk.img; chmod 600 full/disk.img
echo ready; read -r line`;

test('a claim that only root may enter is given to QEMU, and nothing else is touched', async () => {
  const child = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-ec', LAUNCHER], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    using root = new OwnedFd(openSync(`/proc/${pid}/root`, constants.O_RDONLY | constants.O_DIRECTORY));
    const volumes = ['closed', 'open', 'full', 'planted', 'absent'];
    for (const { path } of claimMounts(pid, volumes)) giveClaim({ root, qemuUser: QEMU }, path);
    const owner = (path: string): number =>
      lstatSync(`/proc/${pid}/root/run/kubevirt-private/vmi-disks/${path}`).uid;
    assert.deepEqual(['closed', 'open', 'full', 'full/disk.img', 'planted'].map(owner), [
      QEMU,
      0,
      QEMU,
      QEMU,
      0,
    ]);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
});
