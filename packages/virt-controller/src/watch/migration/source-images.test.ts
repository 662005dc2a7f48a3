import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerStatus, Pod, VirtualMachineInstance } from '@podvisor/api';
import { sourceImages } from './source-images.ts';

const DIGEST = `sha256:${'ab'.repeat(32)}`;

function vmi(image: string): VirtualMachineInstance {
  const container = { image: 'kernels', kernelPath: '/k' };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'v' },
    spec: {
      domain: { devices: {}, firmware: { kernelBoot: { container } } },
      volumes: [
        { name: 'root', containerDisk: { image } },
        { name: 'data', emptyDisk: { capacity: '1Gi' } },
      ],
    },
  };
}

function pod(...statuses: (readonly [name: string, imageID: string])[]): Pod {
  const containerStatuses = statuses.map(
    ([name, imageID]): ContainerStatus => ({ name, imageID, image: '', ready: true, restartCount: 0 }),
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [] },
    status: { containerStatuses },
  };
}

const names: readonly (readonly [image: string, expected: string])[] = [
  ['guest', 'guest'],
  ['guest:1', 'guest'],
  ['localhost:5000/a/guest', 'localhost:5000/a/guest'],
  ['localhost:5000/a/guest:1', 'localhost:5000/a/guest'],
  [`guest:1@sha256:${'00'.repeat(32)}`, 'guest'],
];
for (const [image, expected] of names)
  test(`${image} is pinned to what the source runs`, () => {
    const source = pod(['compute', `l@${DIGEST}`], ['volumeroot', `docker.io/library/guest@${DIGEST}`]);
    assert.deepEqual(sourceImages(vmi(image), source), { root: `${expected}@${DIGEST}` });
  });

test('a kernel is pinned too; what has no digest of a registry, or no container, is not', () => {
  const kernel = pod(
    ['volumekernel-boot-volume', `k@${DIGEST}`],
    ['volumeroot', DIGEST],
    ['volumedata', `x@${DIGEST}`],
  );
  assert.deepEqual(sourceImages(vmi('guest:1'), kernel), { 'kernel-boot-volume': `kernels@${DIGEST}` });
  assert.deepEqual(sourceImages(vmi('guest:1'), undefined), {});
});
