import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { instancePaths, writePidFile } from '@podvisor/sys';
import { copyStoreCommand } from './copy-store.ts';

const paths = instancePaths(mkdtempSync(join(tmpdir(), 'podvisor-copy-')));
let writer: ChildProcess | undefined;
after(() => writer?.kill('SIGKILL'));

/** Writes pairs in one transaction each, as fast as it can, as the only one who may open the file. */
const WRITER = `
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(process.argv[1]);
db.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t(n INTEGER)');
const put = db.prepare('INSERT INTO t VALUES (?)');
for (let n = 0; ; n += 1) {
  db.exec('BEGIN'); put.run(n); put.run(n); db.exec('COMMIT');
  if (n === 50) process.stdout.write('ready');
  if (n % 100 === 0) db.exec('PRAGMA wal_checkpoint(PASSIVE)');
}`;

test('copies that are taken while somebody writes are whole, and the writer goes on', async () => {
  mkdirSync(dirname(paths.store), { recursive: true });
  mkdirSync(paths.run, { recursive: true });
  writer = spawn(process.execPath, ['--no-warnings', '-e', WRITER, paths.store]);
  assert.ok(writer.stdout !== null && writer.pid !== undefined);
  await once(writer.stdout, 'data');
  writePidFile(`${paths.run}/control-plane.pid`, writer.pid);
  let before = 0;
  for (let round = 0; round < 5; round += 1) {
    const target = join(paths.home, `copy-${round}`);
    assert.equal(copyStoreCommand(paths, [target]), 0);
    assert.ok(!existsSync(`${target}-wal`));
    const copy = new DatabaseSync(target, { readOnly: true });
    const odd = copy
      .prepare('SELECT count(*) AS n FROM (SELECT n FROM t GROUP BY n HAVING count(*) <> 2)')
      .get();
    const rows = Number(copy.prepare('SELECT count(*) AS n FROM t').get()?.['n']);
    copy.close();
    assert.equal(odd?.['n'], 0);
    assert.ok(rows > before, 'the writer went on between two copies');
    before = rows;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
});

test('a copy that is not sound is told', () => {
  const home = instancePaths(mkdtempSync(join(tmpdir(), 'podvisor-copy-')));
  mkdirSync(dirname(home.store), { recursive: true });
  const bytes = readFileSync(join(paths.home, 'copy-4'));
  writeFileSync(home.store, bytes.fill(0xff, 4096 + 8, 4096 + 600));
  assert.throws(() => copyStoreCommand(home, [join(home.home, 'copy')]));
});
