import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, lstatSync, openSync } from 'node:fs';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { OwnedFd } from '@podvisor/sys';
import { STATE_VOLUME, statePlaces } from '@podvisor/translate';
import { claimMounts, diskPlaces, giveClaim, may } from './claim-directories.ts';

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
    for (const { path } of claimMounts(pid, diskPlaces(volumes))) giveClaim({ root, qemuUser: QEMU }, path);
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

/** The state of a VM with EFI and TPM as a kubelet mounts it from a claim that is root's: nvram is not there yet. */
const LAUNCHER_WITH_STATE = `
mount -t tmpfs run /run && mkdir -p /run/claim && mount -t tmpfs -o mode=750 claim /run/claim && cd /run/claim
mkdir -m 750 swtpm swtpm-localca other
at() { mkdir -p "$2" && mount --bind "$1" "$2"; }
at swtpm /run/kubevirt-private/libvirt/qemu/swtpm
at swtpm-localca /run/kubevirt-private/var/lib/swtpm-localca
at other /run/kubevirt-private/libvirt/qemu/other
mkdir -m 750 /run/kubevirt-private/libvirt/qemu/nvram
echo ready; read -r line`;

test('directories of a state that only root may enter are given to QEMU, those alone that are mounted for it', async () => {
  const child = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-ec', LAUNCHER_WITH_STATE], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    using root = new OwnedFd(openSync(`/proc/${pid}/root`, constants.O_RDONLY | constants.O_DIRECTORY));
    const vmi: VirtualMachineInstance = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      spec: {
        domain: {
          devices: { tpm: { persistent: true } },
          firmware: { bootloader: { efi: { persistent: true } } },
        },
      },
      status: { runtimeUser: QEMU },
    };
    const places = statePlaces(vmi).map(({ path }) => ({ volume: STATE_VOLUME, path }));
    for (const { path } of claimMounts(pid, places)) giveClaim({ root, qemuUser: QEMU }, path);
    const owner = (path: string): number => lstatSync(`/proc/${pid}/root/run/${path}`).uid;
    assert.deepEqual(['claim/swtpm', 'claim/swtpm-localca'].map(owner), [QEMU, QEMU]);
    assert.deepEqual(['claim', 'claim/other', 'kubevirt-private/libvirt/qemu/nvram'].map(owner), [0, 0, 0]);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
});
