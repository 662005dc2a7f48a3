import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { exposition } from '@podvisor/base';
import { riskFamilies } from './risk-metrics.ts';

const vmi = (
  conditions: NonNullable<VirtualMachineInstance['status']>['conditions'],
): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'a', namespace: 'n' },
  spec: { domain: { devices: {} } },
  status: { phase: 'Running', nodeName: 'node-1', conditions },
});

test('guests that stand still or cannot leave, and when leases end', () => {
  const text = exposition(
    riskFamilies(
      [
        vmi([
          { type: 'Paused', status: 'True', reason: 'PausedIOError' },
          { type: 'LiveMigratable', status: 'False', reason: 'DisksNotLiveMigratable' },
          { type: 'NodeLost', status: 'True', reason: 'DiskIsLocal' },
        ]),
        vmi([{ type: 'Paused', status: 'True', reason: 'PausedByUser' }]),
      ],
      [
        {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: 'virt-controller' },
          spec: { holderIdentity: 'x', renewTime: '2026-01-01T00:00:00.000000Z', leaseDurationSeconds: 15 },
        },
        {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: 'released' },
          spec: { holderIdentity: '', renewTime: '2026-01-01T00:00:00.000000Z', leaseDurationSeconds: 1 },
        },
      ],
    ),
  )
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.deepEqual(text, [
    'podvisor_lease_expiration_timestamp_seconds{lease="virt-controller"} 1767225615',
    'podvisor_vmi_paused_io_error{node="node-1",namespace="n",name="a"} 1',
    'podvisor_vmi_bound_to_node{node="node-1",namespace="n",name="a",reason="DisksNotLiveMigratable"} 1',
    'podvisor_vmi_lost_with_node{node="node-1",namespace="n",name="a",reason="DiskIsLocal"} 1',
  ]);
});
