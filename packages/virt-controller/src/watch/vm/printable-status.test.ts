import { type DataVolumePhase } from '@podvisor/api';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleting, vmiWith, vmWith } from '../../testing/objects.ts';
import type { StorageView } from './volumes/data-volumes.ts';
import { type PrintableInput, printableStatus } from './printable-status.ts';

const emptyStorage: StorageView = {
  dataVolumesServed: true,
  dataVolume: () => undefined,
  claim: () => undefined,
  snapshotClass: () => undefined,
};

const base: PrintableInput = {
  vm: vmWith(),
  vmi: undefined,
  storage: emptyStorage,
  startExpected: false,
  stopExpected: false,
  dataVolumeError: false,
};

const failure = { consecutiveFailCount: 1 };
const withClaim = vmWith({
  template: { spec: { domain: { devices: {} }, volumes: [{ name: 'v', dataVolume: { name: 'dv' } }] } },
});
const onClaim = vmWith({
  template: {
    spec: { domain: { devices: {} }, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'dv' } }] },
  },
});
const dataVolume = (
  phase: DataVolumePhase,
  ...conditions: readonly { readonly type: string; readonly status: 'True' | 'False' }[]
): StorageView => ({
  ...emptyStorage,
  dataVolume: () => ({ metadata: {}, spec: {}, status: { phase, conditions } }),
});
const synchronized = (reason: string) =>
  vmiWith({ phase: 'Scheduling', conditions: [{ type: 'Synchronized', status: 'False', reason }] });

const table: readonly [expected: string, input: Partial<PrintableInput>][] = [
  ['Terminating', { vm: { ...vmWith(), metadata: deleting }, vmi: vmiWith({ phase: 'Running' }) }],
  ['Stopping', { vmi: vmiWith({ phase: 'Running' }, { metadata: deleting }) }],
  ['Stopping', { vmi: vmiWith({ phase: 'Running' }), stopExpected: true }],
  [
    'Migrating',
    { vmi: vmiWith({ phase: 'Running', migrationState: { startTimestamp: '2026-01-01T00:00:00Z' } }) },
  ],
  ['Paused', { vmi: vmiWith({ phase: 'Running', conditions: [{ type: 'Paused', status: 'True' }] }) }],
  ['Running', { vmi: vmiWith({ phase: 'Running' }) }],
  ['ErrorPvcNotFound', { vmi: synchronized('FailedPvcNotFound') }],
  ['DataVolumeError', { dataVolumeError: true }],
  ['DataVolumeError', { vm: withClaim, storage: dataVolume('Failed') }],
  [
    'ErrorUnschedulable',
    {
      vmi: vmiWith({
        phase: 'Scheduling',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
      }),
    },
  ],
  ['Provisioning', { vm: withClaim, storage: dataVolume('ImportInProgress') }],
  ['Provisioning', { vm: withClaim, storage: dataVolume('Paused') }],
  [
    'Provisioning',
    { vm: withClaim, storage: dataVolume('WaitForFirstConsumer', { type: 'Bound', status: 'True' }) },
  ],
  ['Stopped', { vm: withClaim, storage: dataVolume('WaitForFirstConsumer') }],
  ['Stopped', { vm: withClaim, storage: dataVolume('PendingPopulation') }],
  ['Stopped', { vm: onClaim, storage: dataVolume('Failed') }],
  [
    'WaitingForVolumeBinding',
    {
      vm: withClaim,
      storage: { ...emptyStorage, claim: () => ({ metadata: {}, spec: {}, status: { phase: 'Pending' } }) },
    },
  ],
  ['ErrImagePull', { vmi: synchronized('ErrImagePull') }],
  ['ImagePullBackOff', { vmi: synchronized('ImagePullBackOff') }],
  ['Starting', { startExpected: true }],
  ['Starting', { vmi: vmiWith({ phase: 'Pending' }) }],
  ['Starting', { vmi: vmiWith({ phase: 'Scheduled' }) }],
  ['CrashLoopBackOff', { vm: vmWith({}, { startFailure: failure }) }],
  ['CrashLoopBackOff', { vm: vmWith({}, { startFailure: failure }), vmi: vmiWith({ phase: 'Failed' }) }],
  [
    'CrashLoopBackOff',
    { vm: vmWith({ runStrategy: 'Once' }, { startFailure: failure }), vmi: vmiWith({ phase: 'Failed' }) },
  ],
  [
    'CrashLoopBackOff',
    {
      vm: vmWith({ runStrategy: 'RerunOnFailure' }, { startFailure: failure, runStrategy: 'RerunOnFailure' }),
    },
  ],
  ['Stopped', { vm: vmWith({}, { startFailure: { consecutiveFailCount: 0 } }) }],
  ['Stopped', { vm: vmWith({ runStrategy: 'Halted' }, { startFailure: failure }) }],
  ['Stopped', {}],
  ['Stopped', { vmi: vmiWith({ phase: 'Succeeded' }) }],
  [
    'WaitingForReceiver',
    { vm: vmWith({ runStrategy: 'WaitAsReceiver' }), vmi: vmiWith({ phase: 'WaitingForSync' }) },
  ],
  ['Unknown', { vmi: vmiWith({ phase: 'Unknown' }) }],
];

for (const [expected, input] of table) {
  test(`${expected}: ${Object.keys(input).join(', ') || 'nothing'}`, () => {
    assert.equal(printableStatus({ ...base, ...input }), expected);
  });
}
