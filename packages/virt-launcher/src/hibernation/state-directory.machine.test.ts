/** What a claim says that has no room left, with a real file system. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { consumeState, noteTry, statePaths } from './state-directory.ts';

const BYTES = 64 * 1024;

test('a state that fills its claim to the last block can be woken from', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'full-claim-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${BYTES}`, 'tmpfs', directory]);
  try {
    const paths = statePaths(directory, 'x');
    writeFileSync(paths.whole, Buffer.alloc(BYTES, 1));
    assert.throws(() => writeFileSync(join(directory, 'more'), 'x'), { code: 'ENOSPC' });
    await noteTry(directory, 'x', 'first');
    await consumeState(directory, paths, { id: 'x', uid: 'first' });
    const names = readdirSync(directory);
    assert.deepEqual([names.includes('consumed-x'), names.includes('state-x')], [true, false]);
  } finally {
    execFileSync('umount', [directory]);
    rmSync(directory, { recursive: true });
  }
});
