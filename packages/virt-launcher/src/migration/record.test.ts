import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { MigrationRecord } from './record.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function begun(): { record: MigrationRecord; changes: () => number } {
  let count = 0;
  const record = new MigrationRecord({ onChange: () => count++, clock: new FakeClock(), log: quiet });
  record.begin('m1');
  return { record, changes: () => count };
}

test('a migration that was begun is told, and asked for its progress', () => {
  const { record, changes } = begun();
  assert.equal(changes(), 1);
  assert.equal(record.isActive, true);
  assert.equal(record.progress?.uid, 'm1');
});

test('an outcome is told once, with its reason', () => {
  const { record } = begun();
  record.change({ isUndecided: true });
  record.end({ kind: 'stayed', error: new Error('no way') });
  const { completed, failed, failureReason, abortStatus, isUndecided } = record.state ?? {};
  assert.deepEqual(
    { completed, failed, failureReason, abortStatus, isUndecided },
    {
      completed: true,
      failed: true,
      failureReason: 'no way',
      abortStatus: undefined,
      isUndecided: undefined,
    },
  );
  assert.equal(record.progress, undefined);
});

test('who stops it too late is told so; in time, that it stopped', () => {
  const late = begun().record;
  late.cancelled = 'stop';
  late.end({ kind: 'handed-over', confirm: async () => {} });
  assert.deepEqual([late.state?.failed, late.state?.abortStatus], [undefined, 'Failed']);
  const inTime = begun().record;
  inTime.cancelled = 'stop';
  inTime.end({ kind: 'stayed', error: new Error('aborted') });
  assert.deepEqual([inTime.state?.failureReason, inTime.state?.abortStatus], ['stop', 'Succeeded']);
});

test('the next one begins anew', async () => {
  const { record } = begun();
  record.targetIsGone();
  await record.targetGone;
  record.cancelled = 'stop';
  record.begin('m2');
  assert.deepEqual([record.state?.uid, record.cancelled, record.stage], ['m2', undefined, 'preparing']);
  const gone = await Promise.race([record.targetGone.then(() => true), Promise.resolve(false)]);
  assert.equal(gone, false);
});
