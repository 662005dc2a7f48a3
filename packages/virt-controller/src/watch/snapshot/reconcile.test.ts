import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineSnapshot, VolumeSnapshot } from '@podvisor/api';
import { vmiWith, vmWith } from '../../testing/objects.ts';
import { buildContent, type SourceVolume } from './content.ts';
import { planSnapshot } from './reconcile.ts';
import type { SnapshotObservation } from './plan.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;
const snapshot: VirtualMachineSnapshot = {
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineSnapshot',
  metadata: { name: 's', namespace: 'n', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm' } },
};
const vm = vmWith();
const vmi = vmiWith({ phase: 'Running', conditions: [{ type: 'AgentConnected', status: 'True' }] });
const bound = { status: { phase: 'Bound' as const }, spec: {}, metadata: { name: 'data' } };
const volume: SourceVolume = { name: 'disk', claimName: 'data', claim: bound, snapshotClass: 'c' };
const content = buildContent(snapshot, { vm, vmi, startedFrom: undefined }, [volume]);
const frozen = { ...snapshot, status: { indications: ['Online', 'GuestAgent'] } };
const locked = { ...vm, status: { snapshotInProgress: 's' } };
const name = content.spec.volumeBackups?.[0]?.volumeSnapshotName ?? '';
const taken = (status: VolumeSnapshot['status']): ReadonlyMap<string, VolumeSnapshot> =>
  new Map([[name, { metadata: { name }, spec: { source: {} }, status }]]);

function plan(more: Partial<SnapshotObservation>): {
  readonly kinds: readonly string[];
  readonly reason: string | undefined;
  readonly requeueAfterMs: number | undefined;
} {
  const observed = {
    snapshot,
    vm,
    vmi,
    content: undefined,
    volumes: [volume],
    taken: new Map(),
    startedFrom: undefined,
    isServed: true,
    nowMs: START_MS,
    ...more,
  };
  const { actions, requeueAfterMs } = planSnapshot(observed);
  const status = actions.find((action) => action.kind === 'status')?.status;
  const reason = status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;
  return { kinds: actions.map(({ kind }) => kind), reason, requeueAfterMs };
}

test('what a snapshot waits for is said, until its deadline', () => {
  const table: readonly [Partial<SnapshotObservation>, RegExp][] = [
    [{ vm: undefined }, /vm does not exist/],
    [{ isServed: false }, /does not serve VolumeSnapshots/],
    [{ vm: { ...vm, status: { snapshotInProgress: 'other' } } }, /Waiting for snapshot other/],
    [{ vm: { ...vm, status: { restoreInProgress: 'r' } } }, /Waiting for restore r/],
    [{ volumes: [{ ...volume, claim: undefined }] }, /PVC data is not bound/],
  ];
  for (const [more, expected] of table) {
    const { kinds, reason, requeueAfterMs } = plan(more);
    assert.deepEqual(kinds, ['addFinalizer', 'status']);
    assert.match(reason ?? '', expected);
    assert.equal(requeueAfterMs, 5 * MINUTE);
  }
});

test('the VM is locked before the guest is frozen, and frozen before a disk is taken', () => {
  assert.deepEqual(plan({}).kinds, ['addFinalizer', 'lock', 'status', 'createContent']);
  assert.equal(plan({}).requeueAfterMs, 0);
  const begun = { snapshot: frozen, vm: locked, content };
  assert.deepEqual(plan(begun).kinds, ['addFinalizer', 'freeze', 'createVolumeSnapshot']);
  assert.deepEqual(plan({ ...begun, vmi: undefined }).kinds, ['addFinalizer', 'createVolumeSnapshot']);
});

test('the guest is thawed when every disk is taken, once, and the VM unlocked when they can be used', () => {
  const begun = { snapshot: frozen, vm: locked, content };
  const creationTime = '2026-01-01T00:00:10Z';
  const cut = { ...begun, taken: taken({ creationTime, readyToUse: false }) };
  assert.deepEqual(plan(cut).kinds, ['addFinalizer', 'thaw', 'contentStatus']);
  const thawed = { ...content, status: { creationTime, readyToUse: false } };
  const ready = plan({ ...begun, content: thawed, taken: taken({ creationTime, readyToUse: true }) });
  assert.deepEqual(ready.kinds, ['addFinalizer', 'contentStatus', 'status', 'unlock']);
  assert.equal(ready.requeueAfterMs, undefined);
});

test('after the deadline the guest is thawed and nothing is left', () => {
  const late = plan({ snapshot: frozen, vm: locked, content, nowMs: START_MS + 5 * MINUTE });
  assert.deepEqual(late.kinds, ['thaw', 'deleteContent', 'status', 'unlock', 'failedEvent']);
});

test('a deleted snapshot takes its content along, unless it is to be kept', () => {
  const metadata = { ...snapshot.metadata, deletionTimestamp: '2026-01-01T00:01:00Z' };
  const gone = { ...snapshot, metadata };
  assert.deepEqual(plan({ snapshot: gone, vm: locked, content }).kinds, ['unlock', 'deleteContent']);
  assert.deepEqual(plan({ snapshot: gone }).kinds, ['removeFinalizer']);
  const keeping: VirtualMachineSnapshot = { ...gone, spec: { ...gone.spec, deletionPolicy: 'Retain' } };
  assert.deepEqual(plan({ snapshot: keeping, content }).kinds, ['removeFinalizer']);
});
