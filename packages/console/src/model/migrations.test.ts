import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIGRATION_REPORT_ANNOTATION, type VirtualMachineInstanceMigration } from '@podvisor/api';
import { migrationActions, migrationRows, progressOf, REPORT_ANNOTATION } from './migrations.ts';

test('the page looks for the report where it is', () =>
  assert.equal(REPORT_ANNOTATION, MIGRATION_REPORT_ANNOTATION));

test('migrations: the report when it is over, nonsense of a node left out, and only one under way can be cancelled', () => {
  const migration = (
    name: string,
    phase: string,
    report?: string,
  ): [string, VirtualMachineInstanceMigration] => [
    name,
    {
      metadata: {
        namespace: 'shop',
        name,
        ...(report === undefined ? {} : { annotations: { 'podvisor.io/migration-report': report } }),
      },
      spec: { vmiName: 'web' },
      status: { phase, migrationState: { sourceNode: 'a', targetNode: 'b' } },
    } as unknown as VirtualMachineInstanceMigration,
  ];
  const rows = migrationRows(
    new Map([
      migration('m1', 'Succeeded', '{"totalMs":980,"downtimeMs":98,"dataBytes":52428800}'),
      migration('m2', 'Running', 'not JSON'),
      migration('m3', 'Failed', '{"totalMs":"<b>"}'),
    ]),
  );
  assert.deepEqual(
    new Map(rows.map(({ name, report }) => [name, report])),
    new Map([
      ['m3', ''],
      ['m2', ''],
      ['m1', '1.0 s, downtime 98 ms, 50.0 MiB moved'],
    ]),
  );
  assert.deepEqual(
    rows.filter((row) => migrationActions[0]?.fits(row)).map(({ name }) => name),
    ['m2'],
  );
});

test('a migration that runs: what is moved, what is left, how fast, and how long it stands still', () => {
  const base = { uid: 'u', mode: 'PreCopy', elapsedMs: 1000 } as const;
  assert.deepEqual(progressOf(base), { share: 0, words: '' });
  const figures = {
    dataTotalBytes: 4 * 2 ** 20,
    dataProcessedBytes: 3 * 2 ** 20,
    dataRemainingBytes: 2 ** 20,
    bandwidthBytesPerSecond: 2 ** 20,
    dirtyRateBytesPerSecond: 2 ** 19,
    downtimeMs: 80,
  };
  assert.deepEqual(progressOf({ ...base, ...figures }), {
    share: 0.75,
    words:
      '3.0 MiB moved, 1.0 MiB left, 1.0 MiB/s, guest changes 512 KiB/s, downtime 80 ms, about 2.0 s to go',
  });
  // A guest that changes more than is moved: no estimate. Numbers beyond the whole stay within it.
  const { words, share } = progressOf({
    ...base,
    ...figures,
    dirtyRateBytesPerSecond: 2 ** 21,
    dataRemainingBytes: 2 ** 30,
  });
  assert.doesNotMatch(words, /to go/);
  assert.equal(share, 0);
});
