import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interface, Pod, VirtualMachineInstance, VMICondition } from '@podvisor/api';
import { secondaryInterfaceName } from '@podvisor/translate';
import { withNetworkMigration } from './network-migration.ts';
import { POD_NETWORKS } from './pod-networks.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const nicName = secondaryInterfaceName('blue');
const pod: Pod = {
  metadata: {
    name: 'p',
    annotations: {
      [POD_NETWORKS]: JSON.stringify([{ name: 'a', namespace: 'default', interface: nicName }]),
    },
  },
  spec: { containers: [] },
};
function verdict(
  networkName: string,
  {
    nic = { bridge: {} },
    reported = true,
    conditions = [],
    nowMs = NOW,
  }: {
    nic?: Partial<Interface>;
    reported?: boolean;
    conditions?: readonly VMICondition[];
    nowMs?: number;
  } = {},
) {
  const vmi: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'v', namespace: 'default' },
    spec: {
      domain: { devices: { interfaces: [{ name: 'blue', ...nic }] } },
      networks: [{ name: 'blue', multus: { networkName } }],
    },
    status: {
      phase: 'Running',
      conditions,
      interfaces: reported ? [{ name: 'blue', podInterfaceName: nicName }] : [],
    },
  };
  const next = withNetworkMigration(vmi, pod, conditions, nowMs);
  const condition = next.conditions.find(({ type }) => type === 'MigrationRequired');
  return { ...next, status: condition?.status, reason: condition?.reason, message: condition?.message ?? '' };
}

test('nothing changed: no condition, and an old one goes', () => {
  const conditions = [{ type: 'MigrationRequired', status: 'True' }];
  assert.equal(verdict('a').status, undefined);
  assert.deepEqual(verdict('a', { conditions }).conditions, []);
});

test('a bridge may be plugged over for 15 s, then the VMI has to migrate, and that stays', () => {
  const pending = verdict('b');
  assert.deepEqual([pending.status, pending.reason], ['False', 'AutoMigrationPending']);
  assert.equal(pending.requeueAfterMs, 15_000);
  assert.match(pending.message, /blue changes from network default\/a to b/);
  const { conditions } = pending;
  assert.equal(verdict('b', { conditions, nowMs: NOW + 14_000 }).requeueAfterMs, 1_000);
  const late = verdict('b', { conditions, nowMs: NOW + 15_000 });
  assert.deepEqual([late.status, late.reason], ['True', 'AutoMigrationDueToLiveUpdate']);
  assert.equal(verdict('b', { conditions: late.conditions, nowMs: NOW + 15_001 }).status, 'True');
});

test('devices and plugins need a new Pod at once', () => {
  assert.equal(verdict('b', { nic: { sriov: {} } }).status, 'True');
  assert.equal(verdict('b', { nic: { binding: { name: 'p' } } }).status, 'True');
  assert.equal(verdict('a', { nic: { sriov: {} }, reported: false }).status, 'True');
});

test('a NIC that is plugged in waits for the Pod, one that leaves or was never pluggable does not', () => {
  assert.equal(verdict('a', { reported: false }).status, 'False');
  assert.equal(verdict('a', { reported: false, nic: { bridge: {}, state: 'absent' } }).status, undefined);
  assert.equal(verdict('a', { reported: false, nic: { binding: { name: 'p' } } }).status, undefined);
});

test('a VMI that cannot migrate says so, and what is left', () => {
  const conditions = [{ type: 'LiveMigratable', status: 'False', message: 'local disk' }];
  assert.match(
    verdict('b', { nic: { sriov: {} }, conditions }).message,
    /cannot migrate \(local disk\): restart/,
  );
});
