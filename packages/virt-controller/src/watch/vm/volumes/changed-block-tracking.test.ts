import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterConfig, type VirtualMachine, type VirtualMachineInstance } from '@podvisor/api';
import { nextTracking, trackingAtStart, desiredTracking } from './changed-block-tracking.ts';

const vm = (state?: string, labels?: Record<string, string>): VirtualMachine => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'vm', labels },
  spec: { template: { spec: { domain: { devices: {} } } } },
  ...(state === undefined ? {} : { status: { changedBlockTracking: { state } } }),
});
const vmi = (state?: string): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  spec: { domain: { devices: {} } },
  ...(state === undefined ? {} : { status: { changedBlockTracking: { state } } }),
});
const NONE = 'none';
const GATE = 'IncrementalBackupFeatureGateDisabled';

describe('the state of changed block tracking', () => {
  const table: readonly (readonly [
    selection: string,
    vm: string | undefined,
    vmi: string | undefined,
    next: string | undefined,
  ])[] = [
    // Selected, no VMI: the next start tracks.
    ['selected', undefined, NONE, 'Initializing'],
    ['selected', 'PendingRestart', NONE, 'Initializing'],
    ['selected', 'Disabled', NONE, 'Initializing'],
    ['selected', GATE, NONE, 'Initializing'],
    ['selected', 'Enabled', NONE, 'Enabled'],
    // Selected while it runs: it waits for a restart, then follows the VMI.
    ['selected', undefined, undefined, 'PendingRestart'],
    ['selected', GATE, undefined, 'PendingRestart'],
    ['selected', 'PendingRestart', 'Initializing', 'Initializing'],
    ['selected', 'PendingRestart', 'Enabled', 'Enabled'],
    ['selected', 'Initializing', 'Enabled', 'Enabled'],
    ['selected', 'Enabled', 'Initializing', 'Initializing'],
    ['selected', 'Disabled', 'Disabled', 'PendingRestart'],
    // No longer selected.
    ['not selected', undefined, undefined, undefined],
    ['not selected', 'Enabled', 'Enabled', 'PendingRestart'],
    ['not selected', 'PendingRestart', 'Disabled', 'Disabled'],
    ['not selected', 'Enabled', NONE, 'Disabled'],
    ['not selected', 'Disabled', NONE, 'Disabled'],
    // Without the gate.
    ['gate off, selected', undefined, NONE, GATE],
    ['gate off, selected', 'Enabled', 'Enabled', 'PendingRestart'],
    ['gate off, selected', 'PendingRestart', NONE, GATE],
    ['gate off', 'Enabled', NONE, undefined],
    ['gate off', GATE, NONE, GATE],
  ];
  for (const [selection, from, running, to] of table)
    test(`${selection}: VM ${from ?? '-'}, VMI ${running ?? '-'} → ${to ?? '-'}`, () => {
      const next = nextTracking(vm(from), running === NONE ? undefined : vmi(running), {
        allowed: !selection.startsWith('gate off'),
        selected: selection.endsWith('selected') && selection !== 'not selected',
      });
      assert.equal(next?.state, to);
    });

  test('a VMI starts with it, without it, or with nothing said', () => {
    assert.deepEqual(trackingAtStart(vm(), { allowed: true, selected: true }), { state: 'Initializing' });
    assert.deepEqual(trackingAtStart(vm('PendingRestart'), { allowed: true, selected: false }), {
      state: 'Disabled',
    });
    assert.equal(trackingAtStart(vm(), { allowed: true, selected: false }), undefined);
    assert.equal(trackingAtStart(vm(), { allowed: false, selected: true }), undefined);
  });

  test('VMs are selected by their own labels or by those of their namespace', () => {
    const config = clusterConfig({
      metadata: { name: 'kubevirt' },
      spec: {
        configuration: {
          developerConfiguration: { featureGates: ['IncrementalBackup'] },
          changedBlockTrackingLabelSelectors: {
            virtualMachineLabelSelector: { matchLabels: { keep: 'yes' } },
            namespaceLabelSelector: { matchLabels: { tier: 'gold' } },
          },
        },
      },
      status: { phase: 'Deployed' },
    });
    const selected = (labels: Record<string, string>, of: Record<string, string>): boolean =>
      desiredTracking(vm(undefined, labels), config, of).selected;
    assert.deepEqual(
      [selected({ keep: 'yes' }, {}), selected({}, { tier: 'gold' }), selected({}, {})],
      [true, true, false],
    );
    assert.equal(desiredTracking(vm(), clusterConfig(), {}).allowed, false);
  });
});
