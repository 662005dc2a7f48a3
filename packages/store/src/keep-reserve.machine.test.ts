/** A store whose disk others fill. Needs root. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeFilesystemImage, unmountBelow } from '@podvisor/sys';
import { LogFull, SqliteLog } from './sqlite-log.ts';

const MEBI = 1024 * 1024;
const root = mkdtempSync(join(tmpdir(), 'podvisor-reserve-'));
after(async () => {
  await unmountBelow(root);
  rmSync(root, { recursive: true });
});

/** Rows of three kilobytes that are taken on a full disk. */
async function rowsOnFullDisk(name: string, reserve: number): Promise<number> {
  const disk = join(root, name);
  mkdirSync(disk);
  await makeFilesystemImage(disk, 48 * MEBI);
  const log = new SqliteLog(join(disk, 'store.db'));
  while (log.reserve(reserve));
  for (let size = MEBI; size >= 512; )
    try {
      appendFileSync(join(disk, 'tenant'), Buffer.alloc(size, 1));
    } catch {
      size /= 2;
    }
  const value = 'x'.repeat(3000);
  let rows = 0;
  try {
    while (rows < 4000) {
      log.append([{ revision: rows + 1, key: `key-${rows}`, value }]);
      rows += 1;
    }
  } catch (error) {
    assert.ok(error instanceof LogFull, String(error));
  }
  log.close();
  return rows;
}

test('a store with a reserve goes on where tenants took all of the disk', async () => {
  assert.ok((await rowsOnFullDisk('without', 0)) < 100);
  const rows = await rowsOnFullDisk('with', 8 * MEBI);
  assert.ok(rows > 1800, `${rows} rows of 3 kB were taken out of a reserve of 8 MiB`);
});
