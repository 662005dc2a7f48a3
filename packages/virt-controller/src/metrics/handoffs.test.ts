import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  HANDOFFS_ANNOTATION,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VirtualMachineSnapshot,
} from '@podvisor/api';
import { exposition, FakeClock } from '@podvisor/base';
import { Handoffs } from './handoffs.ts';
import { OperationTimes } from './operation-times.ts';
import { snapshotFamily } from './snapshot-metrics.ts';

const clock = new FakeClock(1_000_000);
const times = new OperationTimes(clock);
const handoffs = new Handoffs(times);
const lines = (): readonly string[] => exposition(times.families()).split('\n');
const has = (line: string): void =>
  assert.ok(lines().includes(line), `${line}\nnot in\n${lines().join('\n')}`);
const took = (operation: string, handoff: string, seconds: number): void =>
  has(`podvisor_handoff_duration_seconds_sum{operation="${operation}",handoff="${handoff}"} ${seconds}`);

const vmi = (
  status: VirtualMachineInstance['status'],
  metadata: Partial<NonNullable<VirtualMachineInstance['metadata']>> = {},
): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'a', namespace: 'n', uid: 'u', ...metadata },
  spec: { domain: { devices: {} } },
  status,
});
const pod = (phase: 'Pending' | 'Running'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'virt-launcher-a',
    namespace: 'n',
    uid: 'p',
    ownerReferences: [
      { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'a', uid: 'u', controller: true },
    ],
  },
  spec: { containers: [] },
  status: { phase },
});

test('every handoff is told before the first has happened: only what grows from 0 is seen to grow', () => {
  for (const [operation, handoff] of [
    ['start', 'running'],
    ['stop', 'vmi-gone'],
    ['migration', 'Succeeded'],
    ['plug', 'ready'],
    ['snapshot', 'ready'],
  ] as const) {
    has(`podvisor_handoff_duration_seconds_count{operation="${operation}",handoff="${handoff}"} 0`);
    has(`podvisor_operation_duration_seconds_bucket{operation="${operation}",le="+Inf"} 0`);
  }
});

test('a start, from the VMI to the running guest; what it waits for is told meanwhile', () => {
  handoffs.onVmiCreated(vmi({}));
  clock.advance(50);
  handoffs.onPod(pod('Pending'), undefined);
  clock.advance(400);
  handoffs.onPod(pod('Running'), pod('Pending'));
  has(
    'podvisor_handoff_waiting_since_timestamp_seconds{operation="start",handoff="scheduled",namespace="n",name="a"} 1000.45',
  );
  clock.advance(10);
  handoffs.onVmi(vmi({ phase: 'Scheduled' }), vmi({ phase: 'Scheduling' }));
  const scheduledAt = clock.now();
  clock.advance(2_000);
  const annotation = JSON.stringify({ 8: scheduledAt + 100, 9: scheduledAt + 200, 10: scheduledAt + 1_500 });
  handoffs.onVmi(
    vmi({ phase: 'Running' }, { annotations: { [HANDOFFS_ANNOTATION]: annotation } }),
    vmi({ phase: 'Scheduled' }),
  );
  took('start', 'pod-created', 0.05);
  took('start', 'pod-running', 0.4);
  took('start', 'scheduled', 0.01);
  took('start', 'network-ready', 0.1);
  took('start', 'launcher-asked', 0.1);
  took('start', 'domain-running', 1.3);
  took('start', 'running', 0.5);
  has('podvisor_operation_duration_seconds_sum{operation="start"} 2.46');
  has('podvisor_operations_total{operation="start",result="succeeded"} 1');
  assert.ok(!lines().some((line) => line.startsWith('podvisor_handoff_waiting_since_timestamp_seconds{')));
});

test('a plug, an unplug in between, and a stop', () => {
  const running = vmi({ phase: 'Running' });
  const volume = (phase: string, name = 'data') =>
    vmi({ phase: 'Running', volumeStatus: [{ name, target: '', phase, hotplugVolume: {} }] });
  handoffs.onVmi(volume('Pending'), running);
  clock.advance(500);
  handoffs.onVmi(volume('AttachedToNode'), volume('Pending'));
  clock.advance(100);
  handoffs.onVmi(volume('MountedToPod'), volume('AttachedToNode'));
  clock.advance(200);
  handoffs.onVmi(volume('Ready'), volume('MountedToPod'));
  took('plug', 'attached', 0.5);
  took('plug', 'mounted', 0.1);
  took('plug', 'ready', 0.2);
  handoffs.onVmi(volume('Pending', 'other'), running);
  handoffs.onVmi(running, volume('Pending', 'other'));
  has('podvisor_operations_total{operation="plug",result="succeeded"} 1');
  assert.ok(!lines().some((line) => line.includes('_since_timestamp_seconds{')));

  const ending = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  handoffs.onVmi(vmi({ phase: 'Running' }, ending), running);
  clock.advance(3_000);
  handoffs.onVmi(vmi({ phase: 'Succeeded' }, ending), vmi({ phase: 'Running' }, ending));
  clock.advance(100);
  handoffs.onVmiGone(vmi({ phase: 'Succeeded' }, ending));
  took('stop', 'guest-ended', 3);
  took('stop', 'vmi-gone', 0.1);
  has('podvisor_operations_total{operation="stop",result="succeeded"} 1');
});

test('migrations and snapshots, with how they ended', () => {
  const migration = (phase: 'Scheduling' | 'Running' | 'Failed'): VirtualMachineInstanceMigration => ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name: 'm', namespace: 'n', uid: 'm' },
    spec: { vmiName: 'a' },
    status: { phase },
  });
  // One whose beginning was not seen is not timed.
  handoffs.onMigration(migration('Failed'), migration('Running'));
  assert.ok(!lines().some((line) => line.includes('operation="migration"') && !line.endsWith(' 0')));
  has('podvisor_operations_total{operation="migration",result="failed"} 0');
  times.begin('migration', 'm', { namespace: 'n', name: 'm' }, 'Pending');
  clock.advance(1_000);
  handoffs.onMigration(migration('Running'), migration('Scheduling'));
  handoffs.onMigration(migration('Failed'), migration('Running'));
  took('migration', 'Running', 1);
  has('podvisor_operations_total{operation="migration",result="failed"} 1');

  const snapshot = (status: VirtualMachineSnapshot['status']): VirtualMachineSnapshot => ({
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: { name: 's', namespace: 'n', uid: 's' },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'a' } },
    status,
  });
  times.begin('snapshot', 's', { namespace: 'n', name: 's' }, 'in-progress');
  clock.advance(100);
  const made = { phase: 'InProgress', virtualMachineSnapshotContentName: 'c' };
  handoffs.onSnapshot(snapshot({ phase: 'InProgress' }), snapshot(undefined));
  clock.advance(50);
  handoffs.onSnapshot(snapshot(made), snapshot({ phase: 'InProgress' }));
  clock.advance(700);
  handoffs.onSnapshot(snapshot({ ...made, phase: 'Succeeded' }), snapshot(made));
  took('snapshot', 'in-progress', 0.1);
  took('snapshot', 'content-made', 0.05);
  took('snapshot', 'ready', 0.7);
  has('podvisor_operations_total{operation="snapshot",result="succeeded"} 1');
  const taken = snapshot({ phase: 'Succeeded', creationTime: '2026-01-01T00:00:00Z' });
  assert.deepEqual(snapshotFamily([taken, snapshot(made)]).samples, [
    { labels: { name: 'a', snapshot_name: 's', namespace: 'n' }, value: 1_767_225_600 },
  ]);
});

test('no handoff is timed that was not announced', () => {
  const announced = new Set(namesIn(new OperationTimes(clock)));
  assert.deepEqual(
    namesIn(times).filter((name) => !announced.has(name)),
    [],
  );
});

function namesIn(of: OperationTimes): readonly string[] {
  return exposition(of.families())
    .split('\n')
    .flatMap((line) => /^podvisor_handoff_duration_seconds_count\{(.*)\}/.exec(line)?.[1] ?? []);
}
