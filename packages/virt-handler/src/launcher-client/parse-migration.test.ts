import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainMigration } from '@podvisor/api';
import { parseMigration } from './parse-migration.ts';

const source: DomainMigration = {
  role: 'source',
  uid: 'm1',
  mode: 'PreCopy',
  startTimestamp: '2026-01-01T00:00:00Z',
  endTimestamp: '2026-01-01T00:00:02Z',
  completed: true,
  failed: true,
  failureReason: 'because',
  abortStatus: 'Succeeded',
  report: { uid: 'm1', mode: 'PreCopy', totalMs: 2_000, downtimeMs: 40 },
};

test('what a launcher says arrives', () => {
  assert.deepEqual(parseMigration(JSON.parse(JSON.stringify(source))), source);
  const target: DomainMigration = { role: 'target', uid: 'm1', stage: 'arrived' };
  assert.deepEqual(parseMigration(target), target);
});

test('nonsense is not there, and texts have an end', () => {
  for (const value of [
    undefined,
    null,
    'x',
    {},
    { role: 'target', uid: 'm1', stage: 'home' },
    { ...source, mode: 'x' },
  ])
    assert.equal(parseMigration(value), undefined);
  const long = parseMigration({ ...source, failureReason: 'x'.repeat(1e6), report: { totalMs: 'soon' } });
  assert.ok(long?.role === 'source' && long.failureReason?.length === 1024);
  assert.deepEqual(long.report, { uid: 'm1', mode: 'PreCopy', totalMs: 0 });
});
