/**
 * The store under endless updates (k3s#11269): history is compacted while it is written, a compaction that finds no
 * room is made up for later, nobody else can lock the file, and the file keeps a size.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LogFull, SqliteLog } from '../../packages/store/src/sqlite-log.ts';
import { Store } from '../../packages/store/src/store.ts';
import { namedValues } from '../../packages/store/src/testing/named-values.ts';

const UPDATES = 40_000;
const ABREAST = 1_000;
const VALUE = 'x'.repeat(500);
const MAX_FILE_BYTES = 24 * 1024 * 1024;

/** A log whose compactions fail for a while, as on a disk that is full. */
class FailingLog extends SqliteLog {
  failures = 0;
  refused = 0;

  override compact(...args: Parameters<SqliteLog['compact']>): void {
    if (this.failures > 0) {
      this.failures -= 1;
      this.refused += 1;
      throw new LogFull('no room');
    }
    super.compact(...args);
  }
}

test('endless updates: no lock from outside, compactions that fail are made up for, the file keeps a size', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-store-'));
  const path = join(directory, 'store.db');
  const log = new FailingLog(path);
  const store = new Store(log, namedValues);
  const update = async (from: number, count: number): Promise<void> => {
    for (let i = from; i < from + count; i += ABREAST)
      await Promise.all(
        Array.from({ length: ABREAST }, (_, j) => {
          const name = `k${j % 100}`;
          const object = {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name },
            data: { i: `${i + j}`, VALUE },
          };
          const revision = store.nextRevision();
          return store.commit({
            key: `/configmaps/ns/${name}`,
            revision,
            object,
            text: JSON.stringify(object),
          });
        }),
      );
  };
  try {
    await update(0, UPDATES / 2);
    const stranger = new DatabaseSync(path, { timeout: 200 });
    assert.throws(() => stranger.exec('BEGIN IMMEDIATE'), /locked/);
    stranger.close();
    log.failures = 3;
    await update(UPDATES / 2, UPDATES / 2);
    assert.equal(log.refused, 3, 'compactions were refused');
    const size = ['', '-wal'].reduce((sum, end) => sum + statSync(`${path}${end}`).size, 0);
    assert.ok(size < MAX_FILE_BYTES, `${size} bytes`);
    assert.equal(store.list('/configmaps').length, 100);
  } finally {
    store.close();
    rmSync(directory, { recursive: true });
  }
});
