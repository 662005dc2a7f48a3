import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainBackup, DomainState, VirtualMachineInstance } from '@podvisor/api';
import { trackingStatus } from './tracking.ts';

const STARTED = '2026-01-01T00:00:00Z';
const vmi = (changedBlockTracking?: object): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  spec: {
    domain: {
      devices: {
        disks: [
          { name: 'root', disk: {} },
          { name: 'cd', cdrom: {} },
        ],
      },
    },
    volumes: [
      { name: 'root', persistentVolumeClaim: { claimName: 'c' } },
      { name: 'cd', persistentVolumeClaim: { claimName: 'd' } },
    ],
  },
  ...(changedBlockTracking === undefined
    ? {}
    : { status: { changedBlockTracking: { state: 'Initializing', ...changedBlockTracking } } }),
});
const domain = (more: Partial<DomainState> = {}): DomainState => ({
  name: 'd',
  uuid: 'u',
  vmiUid: 'v',
  state: 'Running',
  reason: 'Unknown',
  diskTargets: {},
  interfaces: [],
  agentConnected: false,
  ...more,
});
const backup: DomainBackup = {
  name: 'b',
  startTimestamp: STARTED,
  target: 't',
  volumes: ['root'],
  quiesce: 'Succeeded',
};

test('tracking is on when every disk that can be tracked is', () => {
  assert.deepEqual(trackingStatus(vmi(), domain({ trackedVolumes: ['root'] })), {});
  assert.equal(trackingStatus(vmi({}), domain()).changedBlockTracking?.state, 'Initializing');
  const on = trackingStatus(vmi({}), domain({ trackedVolumes: ['root'] }));
  assert.equal(on.changedBlockTracking?.state, 'Enabled');
  assert.deepEqual(trackingStatus(vmi({ state: 'Disabled' }), domain({ trackedVolumes: ['root'] })), {});
});

test('only the backup that virt-controller speaks of is told', () => {
  const told = (status: object, more: Partial<DomainBackup> = {}) =>
    trackingStatus(vmi({ backupStatus: status }), domain({ backup: { ...backup, ...more } }))
      .changedBlockTracking?.backupStatus;
  assert.equal(trackingStatus(vmi({}), domain({ backup })).changedBlockTracking?.backupStatus, undefined);
  const other = { backupName: 'x', startTimestamp: STARTED };
  assert.deepEqual(told(other), other);
  const ours = { backupName: 'b', startTimestamp: STARTED };
  assert.deepEqual(told(ours), { ...ours, volumes: [{ volumeName: 'root' }], quiesceStatus: 'Succeeded' });
  const end = told(ours, { endTimestamp: STARTED, failed: true, message: 'no space' });
  assert.deepEqual([end?.completed, end?.failed, end?.backupMsg], [true, true, 'no space']);
});
