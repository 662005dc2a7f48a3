/** A process that writes is killed in the middle; every write that it had acknowledged is there afterwards. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { SqliteLog } from './sqlite-log.ts';
import { Store } from './store.ts';
import { namedValues } from './testing/named-values.ts';

const writer = new URL('./testing/crash-writer.ts', import.meta.url).pathname;

test('kill -9 during writes loses no acknowledged write', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-crash-'));
  try {
    const path = join(directory, 'store.db');
    const acknowledged = await writeUntilKilled(path, 300);
    const store = new Store(new SqliteLog(path), namedValues);
    for (const { name, revision } of acknowledged) {
      const found = store.get(`/configmaps/default/${name}`);
      assert.ok(found !== undefined, `${name} was acknowledged and is gone`);
      assert.ok(
        found.revision >= revision,
        `${name} went back from revision ${revision} to ${found.revision}`,
      );
    }
    assert.ok(store.revision >= Math.max(...acknowledged.map(({ revision }) => revision)));
    store.close();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

interface Acknowledged {
  readonly name: string;
  readonly revision: number;
}

/** Starts the writer and kills it after `count` acknowledgements, while more are on their way. */
async function writeUntilKilled(path: string, count: number): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [writer, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: Acknowledged[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [name = '', revision = ''] = line.split(' ');
    acknowledged.push({ name, revision: Number(revision) });
    if (acknowledged.length === count) child.kill('SIGKILL');
  }
  assert.ok(acknowledged.length >= count, 'the writer ended before it was killed');
  return acknowledged;
}
