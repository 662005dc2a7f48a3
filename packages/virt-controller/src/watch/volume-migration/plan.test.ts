import { applyJsonPatch } from '@podvisor/base';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Disk,
  MigrationState,
  PersistentVolumeClaim,
  VirtualMachineInstance,
  VirtualMachineInstanceMigration,
  VMIStatus,
  Volume,
} from '@podvisor/api';
import { NOW_MS, vmiWith, vmWith } from '../../testing/objects.ts';
import type { StorageView } from '../vm/volumes/data-volumes.ts';
import { planVolumeUpdate, type VolumeUpdate, type VolumeUpdateView } from './plan.ts';

const MIB = 1024 ** 2;
const claims: Readonly<Record<string, readonly [string, 'Filesystem' | 'Block']>> = {
  old: ['64Mi', 'Filesystem'],
  new: ['64Mi', 'Block'],
  large: ['1Gi', 'Filesystem'],
  small: ['32Mi', 'Filesystem'],
};
const claim = (name: string): PersistentVolumeClaim | undefined => {
  const [storage, volumeMode] = claims[name] ?? [];
  if (storage === undefined) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode },
    status: { phase: 'Bound', capacity: { storage } },
  };
};
const storage: StorageView = {
  dataVolumesServed: true,
  dataVolume: () => undefined,
  claim,
  snapshotClass: () => undefined,
};
const on = (claimName: string, more: object = {}): Volume => ({
  name: 'data',
  persistentVolumeClaim: { claimName, ...more },
});
const plain: Disk = { name: 'data', disk: { bus: 'virtio' } };

interface Case {
  readonly wants?: Volume;
  readonly has?: Volume;
  readonly disk?: Disk;
  readonly strategy?: string;
  readonly status?: VMIStatus;
  readonly migrations?: readonly VirtualMachineInstanceMigration[];
  readonly storage?: StorageView;
  readonly hasOtherNode?: boolean;
}

function view(of: Case): VolumeUpdateView {
  const { wants = on('new'), has = on('old'), disk = plain, strategy = 'Migration' } = of;
  const domain = { devices: { disks: [disk] } };
  const status: VMIStatus = {
    phase: 'Running',
    nodeName: 'node-1',
    volumeStatus: [
      {
        name: 'data',
        target: 'vda',
        size: 64 * MIB,
        persistentVolumeClaimInfo: { accessModes: ['ReadWriteOnce'] },
      },
    ],
    ...of.status,
  };
  return {
    vm: vmWith({ updateVolumesStrategy: strategy, template: { spec: { domain, volumes: [wants] } } }),
    vmi: vmiWith(status, { spec: { domain, volumes: [has] } }),
    storage: of.storage ?? storage,
    migrations: of.migrations ?? [],
    hasOtherNode: of.hasOtherNode ?? true,
    nowMs: NOW_MS,
  };
}
const plan = (of: Case = {}): VolumeUpdate => planVolumeUpdate(view(of));
/** The VMI after a patch; the `test` operations are what the API server checks. */
function patched(vmi: VirtualMachineInstance, update: VolumeUpdate): VirtualMachineInstance {
  assert.equal(update.kind, 'patch');
  const copy = structuredClone(vmi);
  applyJsonPatch(copy, update.kind === 'patch' ? update.patch : []);
  return copy;
}
const migration = (phase: string, name = 'm'): VirtualMachineInstanceMigration => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceMigration',
  metadata: { name, uid: `${name}-uid` },
  spec: { vmiName: 'vm' },
  status: { phase },
});

test('another claim begins a move: one patch for the spec, the record and the condition', () => {
  const { vmi } = view({});
  const moving = patched(vmi, plan());
  assert.deepEqual(moving.spec.volumes, [on('new')]);
  const [moved] = moving.status?.migratedVolumes ?? [];
  assert.deepEqual(
    [moved?.volumeName, moved?.sourcePVCInfo?.claimName, moved?.destinationPVCInfo?.volumeMode],
    ['data', 'old', 'Block'],
  );
  const condition = moving.status?.conditions?.find(({ type }) => type === 'VolumesChange');
  assert.equal(condition?.status, 'True');
  assert.equal(condition?.message, 'migrate volumes: data (64Mi) from old to new');
  assert.deepEqual(planVolumeUpdate({ ...view({}), vmi: moving }), { kind: 'none' });
});

test('a plugged disk moves like any other; a disc is exchanged instead', () => {
  const plugged = { hotpluggable: true };
  const wants = on('new', plugged);
  const has = on('old', plugged);
  const { vmi } = view({ wants, has });
  assert.deepEqual(patched(vmi, plan({ wants, has })).spec.volumes, [wants]);
  assert.deepEqual(plan({ wants, has, disk: { name: 'data', cdrom: {} } }), { kind: 'none' });
});

test('nothing is moved that nobody asked to move', () => {
  assert.deepEqual(plan({ strategy: 'Replacement' }), { kind: 'none' });
  assert.deepEqual(plan({ wants: on('old') }), { kind: 'none' });
  assert.deepEqual(plan({ wants: { name: 'data', emptyDisk: { capacity: '1Gi' } } }), { kind: 'none' });
  assert.deepEqual(plan({ status: { phase: 'Scheduled' } }), { kind: 'none' });
});

test('what cannot move is refused by name', () => {
  const table: readonly (readonly [Case, RegExp])[] = [
    [
      { disk: { ...plain, shareable: true } },
      /^invalid volumes to update with migration: shareable: \[data\]$/,
    ],
    [{ disk: { name: 'data', lun: {} } }, /luns: \[data\]/],
    [{ disk: { name: 'data', cdrom: {} } }, /read-only: \[data\]/],
    [{ wants: on('small') }, /claim small has 32Mi, its disk has 64Mi/],
    [
      { status: { conditions: [{ type: 'StorageLiveMigratable', status: 'False', message: 'gpu' }] } },
      /isn't migratable: gpu$/,
    ],
    [
      {
        status: {
          volumeStatus: [
            { name: 'other', target: '', persistentVolumeClaimInfo: { accessModes: ['ReadWriteOnce'] } },
          ],
        },
      },
      /The volume other is RWO and not included/,
    ],
  ];
  for (const [of, message] of table) {
    const update = plan(of);
    assert.equal(update.kind, 'refused');
    assert.match('message' in update ? update.message : '', message);
  }
});

test('what is not ready is waited for', () => {
  const status = { phase: 'ImportInProgress' as const };
  const filling = { ...storage, dataVolume: () => ({ metadata: {}, spec: {}, status }) };
  const table: readonly (readonly [Case, RegExp])[] = [
    [{ wants: on('missing') }, /PVC missing does not exist/],
    [{ hasOtherNode: false }, /wait for a second node/],
    [{ storage: filling }, /DataVolume new is in phase ImportInProgress/],
    [{ migrations: [migration('Running', 'plain')] }, /after migration plain/],
    [
      { status: { migrationState: { migrationUid: 'x', startTimestamp: 't' } } },
      /after the migration under way/,
    ],
  ];
  for (const [of, message] of table) {
    const update = plan(of);
    assert.equal(update.kind, 'waits');
    assert.match('message' in update ? update.message : '', message);
  }
});

const moving = (state?: MigrationState): Case => ({
  has: on('new'),
  status: {
    migratedVolumes: [{ volumeName: 'data', sourcePVCInfo: { claimName: 'old' } }],
    conditions: [{ type: 'VolumesChange', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    ...(state === undefined ? {} : { migrationState: state }),
  },
});

test('meanwhile only the way back is open, and only when nothing is under way', () => {
  const other = plan({ ...moving(), wants: on('large') });
  assert.match('message' in other ? other.message : '', /can only be reverted/);
  const back = { ...moving(), wants: on('old') };
  const open = plan({ ...back, migrations: [migration('Running'), migration('Failed', 'f')] });
  assert.equal(open.kind, 'stop');
  assert.deepEqual(open.kind === 'stop' && open.migrations.map(({ metadata }) => metadata?.name), ['m']);
  const left = { migrationUid: 'm', startTimestamp: 't', completed: true, targetNode: 'node-2' };
  assert.equal(plan({ ...moving(left), wants: on('old') }).kind, 'waits', 'the guest may have moved');
  const failed = { ...left, failed: true };
  for (const one of [back, { ...moving(failed), wants: on('old') }]) {
    const done = patched(view(one).vmi, plan(one));
    assert.deepEqual(done.spec.volumes, [on('old')]);
    assert.equal(done.status?.migratedVolumes, undefined);
    const condition = done.status?.conditions?.find(({ type }) => type === 'VolumesChange');
    assert.deepEqual([condition?.status, condition?.reason], ['False', 'VolumesChangeCancellation']);
  }
});

test('the condition tells why an attempt failed, once', () => {
  const failed = migration('Failed');
  const told: VirtualMachineInstanceMigration = {
    ...failed,
    metadata: { ...failed.metadata, creationTimestamp: '2026-01-01T00:00:30Z' },
    status: { ...failed.status, migrationState: { failureReason: 'disk full' } },
  };
  const of = { ...moving(), migrations: [told, migration('Failed', 'earlier')] };
  const after = patched(view(of).vmi, plan(of));
  const condition = after.status?.conditions?.find(({ type }) => type === 'VolumesChange');
  assert.match(condition?.message ?? '', /the guest is on its old claims and it is tried again: disk full/);
  assert.deepEqual(planVolumeUpdate({ ...view(of), vmi: after }), { kind: 'none' });
});
