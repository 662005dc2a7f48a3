import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeOnce } from './make-once.ts';

const directory = mkdtempSync(join(tmpdir(), 'make-once-'));
after(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'deep', 'image');
const write =
  (text: string, error?: Error) =>
  (partial: string): Promise<void> => {
    assert.ok(!existsSync(partial), 'what was left of another try is gone');
    writeFileSync(partial, text);
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  };

test('a file is there when it is complete, and is made once', async () => {
  await assert.rejects(makeOnce(path, write('half', new Error('ended'))), /ended/);
  assert.ok(!existsSync(path));
  await makeOnce(path, write('whole'));
  assert.equal(readFileSync(path, 'utf8'), 'whole');
  await makeOnce(path, write('another'));
  assert.equal(readFileSync(path, 'utf8'), 'whole');
});
