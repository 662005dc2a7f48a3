import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineBackup,
  VirtualMachineBackupTracker,
  VirtualMachineInstance,
} from '@podvisor/api';
import { type BackupObservation, type BackupStep, decide } from './decide.ts';
import { targetVolume } from './target.ts';

const CREATED = '2026-01-01T00:00:00Z';
const VOLUME = targetVolume('b1');

const backup = (more: Partial<VirtualMachineBackup> = {}, mine = {}): VirtualMachineBackup => ({
  apiVersion: 'backup.kubevirt.io/v1alpha1',
  kind: 'VirtualMachineBackup',
  metadata: { name: 'b1', namespace: 'ns', creationTimestamp: CREATED, ...mine },
  spec: {
    source: { apiGroup: 'backup.kubevirt.io', kind: 'VirtualMachineBackupTracker', name: 't' },
    pvcName: 'c',
  },
  ...more,
});
const tracker = (checkpoint?: object): VirtualMachineBackupTracker => ({
  apiVersion: 'backup.kubevirt.io/v1alpha1',
  kind: 'VirtualMachineBackupTracker',
  metadata: { name: 't', namespace: 'ns' },
  spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm' } },
  ...(checkpoint === undefined ? {} : { status: { latestCheckpoint: checkpoint } }),
});
const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'vm', namespace: 'ns' },
  spec: { template: { spec: { domain: { devices: {} } } } },
};
const vmi = (
  status: VirtualMachineInstance['status'] = {},
  tracking: object = {},
): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'vm', namespace: 'ns', uid: 'u' },
  spec: {
    domain: { devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }] } },
    volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'disk' } }],
  },
  status: {
    phase: 'Running',
    changedBlockTracking: { state: 'Enabled', ...tracking },
    ...status,
  },
});
const attached = { volumeStatus: [{ name: VOLUME, target: '', phase: 'MountedToPod', hotplugVolume: {} }] };
const claim = (name: string, more: object = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'ns', creationTimestamp: CREATED, ...more },
  spec: { volumeMode: 'Filesystem' },
});
const claims: Readonly<Record<string, PersistentVolumeClaim>> = { c: claim('c'), disk: claim('disk') };
const observed = (more: Partial<BackupObservation> = {}): BackupObservation => ({
  backup: backup(),
  tracker: tracker(),
  vm,
  vmi: vmi(attached),
  claim: (name) => claims[name],
  nowMs: Date.parse(CREATED) + 1000,
  ...more,
});
const ours = { backupStatus: { backupName: 'b1', startTimestamp: CREATED } };
const done = (type: string): VirtualMachineBackup =>
  backup({
    status: {
      type: 'Full',
      conditions: [{ type, status: 'True', reason: 'x', message: '', lastTransitionTime: CREATED }],
    },
  });

describe('the next step of a backup', () => {
  const waits: readonly (readonly [string, Partial<BackupObservation>, RegExp])[] = [
    ['no tracker', { tracker: undefined }, /BackupTracker t does not exist/],
    ['no VM', { vm: undefined }, /VM ns\/vm doesnt exist/],
    ['not running', { vmi: undefined }, /vm vm is not running, cannot do backup/],
    ['ended', { vmi: vmi({ phase: 'Failed' }) }, /not running/],
    ['not tracked', { vmi: vmi({}, { state: 'Initializing' }) }, /no ChangedBlockTracking/],
    ['migrating', { vmi: vmi({ migrationState: { startTimestamp: CREATED } }) }, /currently migrating/],
    [
      'another one runs',
      { vmi: vmi({}, { backupStatus: { backupName: 'b0', startTimestamp: CREATED } }) },
      /b0 .* in progress/,
    ],
    ['no claim', { claim: (name) => (name === 'c' ? undefined : claims[name]) }, /PVC ns\/c doesnt exist/],
    [
      'a device',
      { claim: () => ({ ...claim('c'), spec: { volumeMode: 'Block' } }) },
      /must be a filesystem PVC/,
    ],
    [
      'a disk of the guest',
      { backup: backup({ spec: { ...backup().spec, pvcName: 'disk' } }) },
      /disk of the guest itself/,
    ],
  ];
  for (const [name, more, message] of waits)
    test(`waits: ${name}`, () => {
      const step = decide(observed(more));
      assert.equal(step.kind, 'wait');
      assert.match(step.kind === 'wait' ? step.message : '', message);
    });

  test('the claim is plugged in first', () => {
    assert.deepEqual(decide(observed({ vmi: vmi() })), {
      kind: 'attach',
      volume: VOLUME,
      claim: 'c',
      message: 'attaching backup target pvc c to vmi vm',
    });
  });

  test('the first backup of a tracker is full, the next ones since its checkpoint', () => {
    const first = decide(observed());
    assert.ok(first.kind === 'start');
    assert.deepEqual(
      [first.options.incremental, first.options.checkpoint, first.options.supersedes],
      [undefined, true, undefined],
    );
    const checkpoint = { name: 'b0-x', creationTime: CREATED, volumes: [{ volumeName: 'root' }] };
    const next = decide(observed({ tracker: tracker(checkpoint) }));
    assert.ok(next.kind === 'start');
    assert.deepEqual(
      [next.options.incremental, next.options.incrementalVolumes, next.options.supersedes, next.since],
      ['b0-x', ['root'], 'b0-x', checkpoint],
    );
    const forced = decide(
      observed({
        tracker: tracker(checkpoint),
        backup: backup({ spec: { ...backup().spec, forceFullBackup: true } }),
      }),
    );
    assert.ok(forced.kind === 'start');
    assert.deepEqual([forced.options.incremental, forced.options.supersedes], [undefined, 'b0-x']);
  });

  test('a backup of a VM keeps no checkpoint', () => {
    const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm' };
    const step = decide(observed({ tracker: undefined, backup: backup({ spec: { source, pvcName: 'c' } }) }));
    assert.ok(step.kind === 'start');
    assert.equal(step.options.checkpoint, false);
  });

  test('a claim that is younger than the checkpoint makes it void', () => {
    const checkpoint = {
      name: 'b0-x',
      creationTime: '2025-12-31T00:00:00Z',
      volumes: [{ volumeName: 'root' }],
    };
    const step = decide(observed({ tracker: tracker(checkpoint) }));
    assert.equal(step.kind, 'forget-checkpoint');
  });

  test('what runs is followed, aborted when deleted, and failed with its guest', () => {
    const running = vmi(attached, ours);
    const deleted = backup({ status: { type: 'Full' } }, { deletionTimestamp: CREATED });
    assert.equal(decide(observed({ vmi: running })).kind, 'follow');
    assert.equal(decide(observed({ vmi: running, backup: deleted })).kind, 'abort');
    const dead = decide(observed({ vmi: vmi({ phase: 'Failed' }, ours) }));
    assert.deepEqual(dead, {
      kind: 'fail',
      reason: 'SourceUnhealthy',
      message: 'VMI is not in a running state: Failed',
    });
  });

  test('one that is pulled waits for its reader, for as long as it lasts', () => {
    const spec = { ...backup().spec, mode: 'Pull' as const, tokenSecretRef: 's', ttlDuration: '10m' };
    const pulled = backup({ spec });
    const start = decide(observed({ backup: pulled }));
    assert.equal(start.kind === 'start' && start.options.mode, 'Pull');
    const running = vmi(attached, ours);
    const endsMs = Date.parse(CREATED) + 600_000;
    const step = decide(observed({ backup: pulled, vmi: running }));
    assert.deepEqual([step.kind, step.kind === 'serve' && step.endsMs], ['serve', endsMs]);
    assert.equal(decide(observed({ backup: pulled, vmi: running, nowMs: endsMs })).kind, 'abort');
  });

  test('a guest that is gone, or another one, has lost the backup', () => {
    const begun = backup({ status: { type: 'Full' } });
    assert.deepEqual(decide(observed({ backup: begun, vmi: undefined })), {
      kind: 'fail',
      reason: 'SourceLost',
      message: 'VMI was deleted during backup',
    });
    const other = decide(observed({ backup: begun, vmi: vmi() }));
    assert.equal(other.kind === 'fail' && other.reason, 'SourceLost');
  });

  test('one that is deleted while it begins is ended on the node first, where it may run', () => {
    const deleted = backup({}, { deletionTimestamp: CREATED });
    const step = decide(observed({ backup: deleted }));
    assert.equal(step.kind === 'fail' && step.reason, 'DeletedDuringInit');
    assert.deepEqual(step.kind === 'fail' && step.abort, {
      cmd: 'Abort',
      backupName: 'b1',
      backupStartTime: CREATED,
    });
    const early = decide(observed({ backup: deleted, vmi: vmi() }));
    assert.equal(early.kind === 'fail' && early.abort, undefined);
  });

  test('a limit is passed on, and must be one', () => {
    const limited = (value: string): BackupStep =>
      decide(observed({ backup: backup({}, { annotations: { 'podvisor.io/backup-bandwidth': value } }) }));
    const step = limited('50Mi');
    assert.equal(step.kind === 'start' && step.options.bytesPerSecond, 50 * 1024 * 1024);
    for (const value of ['fast', '0', '-1Mi']) assert.equal(limited(value).kind, 'wait', value);
  });

  test('the end is told, tidied up after, and lets a deleted backup go', () => {
    const ended = vmi({}, { backupStatus: { ...ours.backupStatus, completed: true } });
    assert.equal(decide(observed({ vmi: ended })).kind, 'finish');
    assert.equal(decide(observed({ vmi: ended, backup: done('Complete') })).kind, 'tidy');
    assert.equal(decide(observed({ vmi: vmi(), backup: done('Failed') })).kind, 'nothing');
    const gone = { ...done('Failed'), metadata: { ...backup().metadata, deletionTimestamp: CREATED } };
    assert.equal(decide(observed({ vmi: vmi(), backup: gone })).kind, 'release');
    assert.equal(
      decide(observed({ vmi: undefined, backup: backup({}, { deletionTimestamp: CREATED }) })).kind,
      'release',
    );
  });

  test('names of volumes fit', () => {
    for (const name of ['b1', 'a.b', 'x'.repeat(200)]) {
      assert.match(targetVolume(name), /^[a-z0-9-]{1,63}$/);
    }
    assert.notEqual(targetVolume('a.b'), targetVolume('a-b'));
  });
});
