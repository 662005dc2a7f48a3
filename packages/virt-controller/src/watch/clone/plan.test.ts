import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineClone } from '@podvisor/api';
import { patchObject } from '../restore/json-patch.ts';
import { clonePatches, isKept, targetName } from './plan.ts';

test('filters: nothing said keeps all, ! takes away, * matches anything', () => {
  assert.ok(isKept('a', undefined));
  assert.ok(isKept('team/a', ['*']));
  assert.ok(!isKept('team/a', ['*', '!team/*']));
  assert.ok(!isKept('b', ['a']));
  assert.ok(!isKept('axb', ['a.b']));
});

test('a copy has other addresses and serial, and only the labels that were asked for', () => {
  const clone: VirtualMachineClone = {
    apiVersion: 'clone.kubevirt.io/v1beta1',
    kind: 'VirtualMachineClone',
    metadata: { uid: 'u' },
    spec: {
      source: { kind: 'VirtualMachine', name: 'web' },
      labelFilters: ['*', '!tier/x'],
      newMacAddresses: { nic: '02:00:00:00:00:07' },
      newSMBiosSerial: 'S,1',
    },
  };
  const vm = {
    metadata: { name: 'web', labels: { app: 'web', 'tier/x': '1' } },
    spec: {
      template: {
        spec: { domain: { devices: { interfaces: [{ name: 'nic', macAddress: '02:00:00:00:00:01' }] } } },
      },
    },
  };
  const patches = clonePatches(clone, vm);
  // What the admission of restores takes: plain pairs, one colon each.
  for (const patch of patches)
    for (const pair of patch.replace(/^[{}]+|[{}]+$/g, '').split(','))
      assert.equal(pair.split(':').length, 2, patch);
  const copy = patchObject(vm, patches) as typeof vm & {
    spec: { template: { spec: { domain: { firmware?: { serial: string } } } } };
  };
  assert.deepEqual(copy.metadata.labels, { app: 'web' });
  assert.equal(copy.spec.template.spec.domain.devices.interfaces[0]?.macAddress, '02:00:00:00:00:07');
  assert.equal(copy.spec.template.spec.domain.firmware?.serial, 'S,1');
  assert.match(targetName(clone, 'web'), /^clone-web-.{5}$/);
});
