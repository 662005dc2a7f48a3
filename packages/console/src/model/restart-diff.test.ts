import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartDifferences } from './restart-diff.ts';

const RUNNING = {
  domain: {
    cpu: { cores: 1, sockets: 1, model: 'host-model' },
    memory: { guest: '192Mi' },
    devices: {
      disks: [
        { name: 'root', disk: { bus: 'virtio' } },
        { name: 'old', disk: { bus: 'sata' } },
      ],
    },
  },
  hostname: 'a',
};

test('nothing differs where the VMI only has more', () => {
  const template = {
    domain: { cpu: { cores: '1' }, devices: { disks: RUNNING.domain.devices.disks, rng: {} } },
  };
  assert.deepEqual(restartDifferences(template, RUNNING), []);
  assert.deepEqual(restartDifferences(undefined, RUNNING), []);
});

test('what is set otherwise, what comes and what goes', () => {
  const template = {
    domain: {
      cpu: { cores: 2 },
      devices: {
        disks: [
          { name: 'root', disk: { bus: 'scsi' } },
          { name: 'new', disk: {} },
        ],
      },
    },
    nodeSelector: { zone: 'b' },
  };
  assert.deepEqual(restartDifferences(template, RUNNING), [
    { path: 'spec.domain.cpu.cores', running: '1', next: '2' },
    { path: 'spec.domain.devices.disks[root].disk.bus', running: 'virtio', next: 'scsi' },
    { path: 'spec.domain.devices.disks[new]', next: '{"name":"new","disk":{}}' },
    { path: 'spec.domain.devices.disks[old]', running: '{"name":"old","disk":{"bus":"sata"}}' },
    { path: 'spec.nodeSelector', next: '{"zone":"b"}' },
  ]);
});
