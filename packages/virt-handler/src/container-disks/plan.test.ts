import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { plannedImages } from './plan.ts';

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'vm' },
  spec: {
    domain: {
      devices: {},
      firmware: {
        kernelBoot: { container: { image: 'k', kernelPath: '/boot/vmlinuz', initrdPath: '/boot/initrd' } },
      },
    },
    volumes: [
      { name: 'empty', emptyDisk: { capacity: '1Gi' } },
      { name: 'root', containerDisk: { image: 'a' } },
      { name: 'data', containerDisk: { image: 'b', path: '/images/data.raw' } },
    ],
  },
};

function pod(...containers: string[]): Pod {
  const spec = { containers: containers.map((name) => ({ name, image: '' })) };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
}

test('each container of an image names the files that the launcher is to see', () => {
  const images = plannedImages(vmi, pod('compute', 'volumeroot', 'volumedata', 'volumekernel-boot-volume'));
  assert.deepEqual(images, [
    { volume: 'root', socket: 'disk_1.sock', isDisk: true, files: [{ name: 'disk_1.img' }] },
    {
      volume: 'data',
      socket: 'disk_2.sock',
      isDisk: true,
      files: [{ name: 'disk_2.img', path: '/images/data.raw' }],
    },
    {
      volume: 'kernel-boot-volume',
      socket: 'kernel-boot.sock',
      isDisk: false,
      files: [
        { path: '/boot/vmlinuz', directory: 'kernel-boot', name: 'vmlinuz' },
        { path: '/boot/initrd', directory: 'kernel-boot', name: 'initrd' },
      ],
    },
  ]);
});

test('a Pod whose images are its volumes has nothing to be shown', () => {
  assert.deepEqual(plannedImages(vmi, pod('compute')), []);
});
