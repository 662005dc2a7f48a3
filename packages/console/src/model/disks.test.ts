import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { diskActions, disksOf, plugAction } from './disks.ts';

const metadata = { namespace: 'shop', name: 'web' };
const vm = {
  metadata,
  spec: {
    template: { spec: { domain: {}, volumes: [{ name: 'root', dataVolume: { name: 'root-disk' } }] } },
  },
} as unknown as VirtualMachine;

test('disks: where they come from, and only what was plugged can be unplugged', () => {
  const vmi = {
    metadata,
    spec: {
      domain: {},
      volumes: [
        { name: 'root', containerDisk: { image: 'r/i' } },
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      ],
    },
    status: {
      volumeStatus: [
        { name: 'root', target: 'vda' },
        {
          name: 'data',
          target: 'sda',
          phase: 'Ready',
          hotplugVolume: {},
          persistentVolumeClaimInfo: { capacity: { storage: '1Gi' } },
        },
      ],
    },
  } as unknown as VirtualMachineInstance;
  const rows = disksOf(vm, vmi);
  assert.deepEqual(
    rows.map(({ name, source, device, size, isPlugged }) => [name, source, device, size, isPlugged]),
    [
      ['root', 'image r/i', 'vda', '', false],
      ['data', 'claim data', 'sda', '1Gi', true],
    ],
  );
  assert.deepEqual(
    rows.map((row) => diskActions.filter(({ fits }) => fits(row)).length),
    [0, 1],
  );
  assert.equal(disksOf(vm, undefined)[0]?.source, 'data volume root-disk');
  const plug = plugAction('web');
  assert.equal(plug.fits({ namespace: 'shop', name: '' }), false);
  assert.equal(
    plug.command({ namespace: 'shop', name: 'data' }),
    'virtctl addvolume web --volume-name=data --persist -n shop',
  );
});
