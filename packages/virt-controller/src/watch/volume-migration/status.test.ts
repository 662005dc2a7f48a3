import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance, VMStatus } from '@podvisor/api';
import { NOW_MS, vmiWith, vmWith } from '../../testing/objects.ts';
import { needsRecovery, volumeUpdateState, withRecovery } from './status.ts';

const moved = [{ volumeName: 'data', sourcePVCInfo: { claimName: 'old' } }];
const vm = (claimName: string, status?: VMStatus, strategy = 'Migration'): VirtualMachine =>
  vmWith(
    {
      updateVolumesStrategy: strategy,
      template: {
        spec: {
          domain: { devices: {} },
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
        },
      },
    },
    status,
  );
const vmi = (phase: string, isMoving: boolean): VirtualMachineInstance =>
  vmiWith({ phase, ...(isMoving ? { migratedVolumes: moved } : {}) });
const remembered: VMStatus = { volumeUpdateState: { volumeMigrationState: { migratedVolumes: moved } } };
const recovery = (machine: VirtualMachine, instance?: VirtualMachineInstance) =>
  withRecovery(machine.status?.conditions ?? [], machine, instance, NOW_MS).find(
    ({ type }) => type === 'ManualRecoveryRequired',
  );

test('a guest that ended while its volumes moved needs its old claims back', () => {
  const ended = vm('new', remembered);
  const condition = recovery(ended, vmi('Failed', true));
  assert.equal(condition?.status, 'True');
  assert.match(condition?.message ?? '', /Put back volume data to claim old/);
  assert.equal(needsRecovery(ended, vmi('Failed', true)), true);
  // Its VMI is gone, the memory stays.
  const gone = vm('new', { ...remembered, conditions: condition === undefined ? [] : [condition] });
  assert.equal(recovery(gone)?.status, 'True');
  assert.equal(needsRecovery(gone, undefined), true);
  assert.deepEqual(volumeUpdateState(gone, undefined), remembered.volumeUpdateState);
});

test('also when the VM has not noted yet that they move', () => {
  assert.equal(needsRecovery(vm('new'), vmi('Failed', true)), true);
  assert.equal(recovery(vm('new'), vmi('Failed', true))?.status, 'True');
});

test('with the old claims, or another strategy, it starts again', () => {
  const conditions = [{ type: 'ManualRecoveryRequired', status: 'True' }];
  for (const healed of [
    vm('old', { ...remembered, conditions }),
    vm('new', { ...remembered, conditions }, 'Replacement'),
  ]) {
    assert.equal(recovery(healed), undefined);
    assert.equal(needsRecovery(healed, undefined), false);
    assert.equal(volumeUpdateState(healed, undefined), undefined);
  }
});

test('a guest that has moved ends as any other', () => {
  const machine = vm('new', remembered);
  assert.equal(recovery(machine, vmi('Failed', false)), undefined);
  assert.equal(needsRecovery(machine, vmi('Failed', false)), false);
  assert.equal(recovery(machine, vmi('Running', true)), undefined);
});
