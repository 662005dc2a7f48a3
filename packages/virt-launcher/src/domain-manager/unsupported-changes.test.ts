import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { missingDisks } from './unsupported-changes.ts';

test('a disk that was added while the VM runs is named; an empty drive is not', () => {
  const vmi: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    spec: {
      domain: { devices: { disks: [{ name: 'root' }, { name: 'added' }, { name: 'empty-cdrom' }] } },
      volumes: [{ name: 'root' }, { name: 'added' }],
    },
  };
  assert.deepEqual(missingDisks(vmi, { root: 'vda' }), ['added']);
  assert.deepEqual(missingDisks(vmi, { root: 'vda', added: 'vdb' }), []);
});
