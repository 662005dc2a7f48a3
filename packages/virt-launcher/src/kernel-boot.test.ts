import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { prepareKernelBoot } from './kernel-boot.ts';

function booting(kernelPath: string, initrdPath?: string): VirtualMachineInstance {
  return {
    spec: {
      domain: {
        devices: {},
        firmware: { kernelBoot: { container: { image: 'i', kernelPath, initrdPath } } },
      },
    },
  } as VirtualMachineInstance;
}

test('kernel and initrd are linked, and nothing outside the image is', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'kernel-boot-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const dirs = { image: join(directory, 'image'), containerDisks: join(directory, 'disks') };
  mkdirSync(join(dirs.image, 'boot'), { recursive: true });
  writeFileSync(join(dirs.image, 'boot/vmlinuz'), 'k');
  writeFileSync(join(dirs.image, 'boot/initrd'), 'i');
  writeFileSync(join(directory, 'secret'), 's');
  symlinkSync('../../secret', join(dirs.image, 'boot/sneaky'));

  await prepareKernelBoot(booting('/boot/vmlinuz', 'boot/initrd'), dirs);
  await prepareKernelBoot(booting('/boot/vmlinuz', 'boot/initrd'), dirs);
  assert.equal(
    readlinkSync(join(dirs.containerDisks, 'kernel-boot/vmlinuz')),
    join(dirs.image, 'boot/vmlinuz'),
  );
  assert.equal(
    readlinkSync(join(dirs.containerDisks, 'kernel-boot/initrd')),
    join(dirs.image, 'boot/initrd'),
  );

  await assert.rejects(prepareKernelBoot(booting('/boot/none'), dirs), /cannot be opened inside the image/);
  await assert.rejects(prepareKernelBoot(booting('../secret'), dirs), /cannot be opened inside the image/);
  await assert.rejects(prepareKernelBoot(booting('boot/sneaky'), dirs), /cannot be opened inside the image/);
});
