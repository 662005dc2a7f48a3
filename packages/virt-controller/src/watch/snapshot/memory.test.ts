/** The way of a snapshot with memory, from what the node tells to what is done. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MEMORY_SNAPSHOT_VOLUME,
  memorySnapshotTypes,
  type VirtualMachineInstance,
  type VirtualMachineSnapshot,
  type VMIMemorySnapshot,
  type VolumeSnapshot,
} from '@podvisor/api';
import { vmiWith, vmWith } from '../../testing/objects.ts';
import { buildContent, type SourceVolume } from './content.ts';
import { memoryClaim } from './memory.ts';
import { planSnapshot } from './reconcile.ts';
import type { SnapshotAction, SnapshotObservation } from './plan.ts';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
const snapshot: VirtualMachineSnapshot = {
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineSnapshot',
  metadata: { name: 's', namespace: 'default', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm' }, includeMemory: true },
};
const vm = vmWith();
const running = vmiWith(
  { phase: 'Running', interfaces: [{ name: 'default', mac: '02:00:00:00:00:01' }] },
  { spec: { domain: { devices: {}, memory: { guest: '192Mi' } } } },
);
const bound = {
  status: { phase: 'Bound' as const },
  spec: { storageClassName: 'fast', accessModes: ['ReadWriteMany'] },
  metadata: { name: 'data' },
};
const volume: SourceVolume = { name: 'disk', claimName: 'data', claim: bound, snapshotClass: 'c' };
const content = buildContent(snapshot, { vm, vmi: running, startedFrom: undefined }, [volume]);
const claimName = content.spec.memoryBackup?.claimName ?? '';
const disk = content.spec.volumeBackups?.[0]?.volumeSnapshotName ?? '';
const taken = (status: VolumeSnapshot['status']): ReadonlyMap<string, VolumeSnapshot> =>
  new Map([[disk, { metadata: { name: disk }, spec: { source: {} }, status }]]);

/** The guest with the claim plugged in as `type`, and what its node tells. */
function guest(type?: string, told?: Partial<VMIMemorySnapshot>): VirtualMachineInstance {
  const utilityVolumes = type === undefined ? undefined : [{ name: MEMORY_SNAPSHOT_VOLUME, claimName, type }];
  const memorySnapshot = told === undefined ? undefined : { claimName, phase: 'Saving', ...told };
  return {
    ...running,
    spec: { ...running.spec, utilityVolumes },
    status: { ...running.status, memorySnapshot },
  };
}

function plan(more: Partial<SnapshotObservation>): readonly SnapshotAction[] {
  return planSnapshot({
    snapshot,
    vm: { ...vm, status: { snapshotInProgress: 's' } },
    vmi: guest(),
    content,
    volumes: [volume],
    taken: new Map(),
    startedFrom: undefined,
    isServed: true,
    memoryClaim: memoryClaim(snapshot, content, running, { configuration: {} }, bound),
    nowMs: NOW_MS,
    ...more,
  }).actions;
}
const kinds = (more: Partial<SnapshotObservation>): readonly string[] => plan(more).map(({ kind }) => kind);
/** Type of the claim that the VMI is patched to; `undefined`: it is not patched; `gone`: it is unplugged. */
function pluggedAs(actions: readonly SnapshotAction[]): string | undefined {
  const patch = actions.find((action) => action.kind === 'patchVmi')?.patch;
  if (patch === undefined) return undefined;
  const value = patch.flatMap((step) => ('value' in step && step.op !== 'test' ? [step.value] : [])).at(-1);
  return (value as readonly { readonly type: string }[] | undefined)?.[0]?.type ?? 'gone';
}
const { save, goOn } = memorySnapshotTypes;

test('what the content says about the memory, and the claim that takes it', () => {
  assert.deepEqual(content.spec.memoryBackup, {
    claimName: 'vmsnapshot-u-memory',
    vmiUID: 'vmi-uid',
    interfaces: [{ name: 'default', mac: '02:00:00:00:00:01' }],
  });
  const { spec, metadata } = memoryClaim(snapshot, content, running, { configuration: {} }, bound);
  assert.deepEqual([spec.storageClassName, spec.accessModes], ['fast', ['ReadWriteMany']]);
  assert.equal(metadata.ownerReferences?.[0]?.kind, 'VirtualMachineSnapshotContent');
  assert.equal(metadata.ownerReferences?.[0]?.name, content.metadata?.name);
});

test('a copy can be told from others only where the agent answers', () => {
  const agent = { type: 'AgentConnected', status: 'True' };
  const paused = { type: 'Paused', status: 'True' };
  for (const [conditions, expected] of [
    [[agent], true],
    [[agent, paused], undefined],
    [[], undefined],
  ] as const) {
    const vmi = { ...running, status: { ...running.status, conditions } };
    const { memoryBackup } = buildContent(snapshot, { vm, vmi, startedFrom: undefined }, []).spec;
    assert.equal(memoryBackup?.hasGuestAgent, expected);
  }
});

test('memory first, then the disks while the guest stands still, then it goes on', () => {
  const first = plan({});
  assert.deepEqual(
    first.map(({ kind }) => kind),
    ['addFinalizer', 'createClaim', 'patchVmi'],
  );
  assert.equal(pluggedAs(first), save);
  assert.deepEqual(kinds({ vmi: guest(save, { phase: 'Saving' }) }), ['addFinalizer', 'createClaim']);
  assert.deepEqual(kinds({ vmi: guest(save, { phase: 'Saved' }) }), ['addFinalizer', 'createVolumeSnapshot']);
  assert.deepEqual(kinds({ vmi: guest(save, { phase: 'Saved' }), taken: taken({}) }), ['addFinalizer']);
  const areTaken = taken({ creationTime: '2026-01-01T00:00:01Z', readyToUse: true });
  const going = plan({ vmi: guest(save, { phase: 'Saved' }), taken: areTaken });
  assert.deepEqual([going.length, pluggedAs(going)], [2, goOn]);
  assert.deepEqual(kinds({ vmi: guest(goOn, { phase: 'Saved' }), taken: areTaken }), ['addFinalizer']);
});

test('what was taken is noted before the claim goes, and only then is the snapshot done', () => {
  const areTaken = taken({ creationTime: '2026-01-01T00:00:01Z', readyToUse: true });
  const told = { phase: 'Taken', sizeBytes: 17, pauseMilliseconds: 120 };
  const noting = plan({ vmi: guest(goOn, told), taken: areTaken });
  const status = noting.find((action) => action.kind === 'status')?.status;
  assert.deepEqual(status?.memory, { claimName, sizeBytes: 17, pauseMilliseconds: 120 });
  assert.deepEqual([status?.phase, pluggedAs(noting)], ['InProgress', undefined]);
  const noted = { ...snapshot, status };
  const done = plan({ snapshot: noted, vmi: guest(goOn, told), taken: areTaken });
  assert.equal(pluggedAs(done), 'gone');
  assert.equal(done.find((action) => action.kind === 'status')?.status.phase, 'Succeeded');
  assert.ok(done.some(({ kind }) => kind === 'unlock'));
});

test('what goes wrong is said with its field, and leaves nothing plugged in', () => {
  const table: readonly (readonly [Partial<SnapshotObservation>, RegExp, string | undefined])[] = [
    [{ content: undefined, vmi: undefined }, /spec\.includeMemory: .* does not run/, undefined],
    [
      { content: undefined, volumes: [{ ...volume, snapshotClass: undefined }] },
      /spec\.includeMemory: the storage of volume disk/,
      undefined,
    ],
    [{ vmi: guest(save, { phase: 'Failed', message: 'no room' }) }, /no room/, 'gone'],
    [{ vmi: undefined }, /ended before its memory was saved/, undefined],
    [
      { vmi: guest(save, { phase: 'Saved' }), taken: taken({ error: { message: 'broken' } }) },
      /broken/,
      'gone',
    ],
    [{ vmi: guest(save, { phase: 'Saved' }), nowMs: NOW_MS + 600_000 }, /deadline/, 'gone'],
  ];
  for (const [more, message, plugged] of table) {
    const actions = plan(more);
    const status = actions.find((action) => action.kind === 'status')?.status;
    assert.equal(status?.phase, 'Failed', String(message));
    assert.match(status?.error?.message ?? '', message);
    assert.equal(pluggedAs(actions), plugged, String(message));
    assert.ok(!actions.some(({ kind }) => kind === 'freeze'));
  }
});

test('a snapshot that is deleted lets the guest go on', () => {
  const deleted = {
    ...snapshot,
    metadata: { ...snapshot.metadata, deletionTimestamp: '2026-01-01T00:00:01Z' },
  };
  const actions = plan({ snapshot: deleted, vmi: guest(save, { phase: 'Saved' }) });
  assert.equal(pluggedAs(actions), 'gone');
});
