import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition, VirtualMachineInstanceMigration } from '@podvisor/api';
import {
  bytes,
  estimateMs,
  phaseLine,
  progressLine,
  reportLine,
  reportOf,
  targetTrouble,
  workLine,
} from './lines.ts';

const MIB = 1024 ** 2;
const progress = {
  uid: 'm',
  mode: 'PreCopy',
  elapsedMs: 1000,
  dataTotalBytes: 400 * MIB,
  dataRemainingBytes: 100 * MIB,
  bandwidthBytesPerSecond: 60 * MIB,
  dirtyRateBytesPerSecond: 10 * MIB,
  iterations: 2,
} as const;

function migrationWith(
  status: VirtualMachineInstanceMigration['status'],
  report?: string,
): VirtualMachineInstanceMigration {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: {
      uid: 'm',
      ...(report === undefined ? {} : { annotations: { 'podvisor.io/migration-report': report } }),
    },
    spec: {},
    status,
  };
}

test('the estimate is what is left over what is gained', () => {
  assert.equal(estimateMs(progress), 2000);
  assert.equal(estimateMs({ ...progress, dirtyRateBytesPerSecond: 60 * MIB }), undefined);
  assert.equal(estimateMs({ uid: 'm', mode: 'PreCopy', elapsedMs: 0 }), undefined);
});

test('a line of figures leaves out what is not known', () => {
  assert.equal(
    progressLine(progress),
    'PreCopy  100.0 MiB left of 400.0 MiB  60.0 MiB/s  guest changes 10.0 MiB/s  pass 2  about 2.00 s to go',
  );
  assert.equal(progressLine({ uid: 'm', mode: 'PostCopy', elapsedMs: 0 }), 'PostCopy  no estimate');
});

test('what is to be copied', () => {
  const work = { memoryBytes: 64 * MIB, diskBytes: 3 * MIB, volumes: ['root', 'data'] };
  assert.equal(workLine(work), 'to copy: up to 64.0 MiB of memory, 3.0 MiB of disks (root, data)');
  assert.equal(workLine({ ...work, volumes: [] }), 'to copy: up to 64.0 MiB of memory, no disk');
});

test('a phase names the nodes, and a quota that is in the way', () => {
  const migrationState = { sourceNode: 'a', targetNode: 'b' };
  assert.equal(phaseLine(migrationWith({ phase: 'Running', migrationState })), 'Running  a → b');
  const conditions = [{ type: 'migrationRejectedByResourceQuota', status: 'True', message: 'no' }];
  assert.equal(
    phaseLine(migrationWith({ phase: 'Pending', conditions })),
    'Pending  a quota refuses the target: no',
  );
});

test('a report is read if it is one, and of this migration', () => {
  const report = {
    uid: 'm',
    mode: 'PreCopy',
    totalMs: 1500,
    downtimeMs: 12,
    dataBytes: 3 * MIB,
    iterations: 3,
  };
  const read = reportOf(migrationWith({}, JSON.stringify(report)));
  assert.ok(read);
  assert.equal(reportLine(read), 'total 1.50 s, downtime 12 ms, 3.0 MiB moved, 3 passes, PreCopy');
  for (const text of ['{', '{}', 'null', JSON.stringify({ ...report, uid: 'other' })])
    assert.equal(reportOf(migrationWith({}, text)), undefined);
});

test('bytes are told in the unit that fits', () => {
  assert.deepEqual([0, 1023, 1024, 1.5 * MIB, 3 * 1024 ** 4].map(bytes), [
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 MiB',
    '3.0 TiB',
  ]);
});

test('a target that no node takes says so while there is time to do something', () => {
  const pod = (...conditions: Condition[]) =>
    targetTrouble({ metadata: {}, spec: { containers: [] }, status: { phase: 'Pending', conditions } });
  const message = '0/1 nodes are available';
  assert.equal(
    pod({ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }),
    'no node takes the target yet: 0/1 nodes are available',
  );
  assert.equal(pod({ type: 'PodScheduled', status: 'True' }), undefined);
  assert.equal(pod(), undefined);
});
