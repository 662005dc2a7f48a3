import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { entriesBelow } from './entries-below.ts';

test('everything below, links as links: not where they lead, and not in circles', () => {
  const root = mkdtempSync(join(tmpdir(), 'podvisor-entries-'));
  try {
    mkdirSync(join(root, 'tree/a/b'), { recursive: true });
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside/secret'), '');
    writeFileSync(join(root, 'tree/a/b/file'), '');
    symlinkSync('../outside', join(root, 'tree/out'));
    for (const name of ['circle-1', 'circle-2']) symlinkSync('.', join(root, 'tree', name));
    const found = [...entriesBelow(join(root, 'tree'))].map(({ parentPath, name }) =>
      relative(root, join(parentPath, name)),
    );
    assert.deepEqual(found.toSorted(), [
      'tree/a',
      'tree/a/b',
      'tree/a/b/file',
      'tree/circle-1',
      'tree/circle-2',
      'tree/out',
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('a directory that is not there is an error', () => {
  assert.throws(() => [...entriesBelow('/nowhere/at/all')], { code: 'ENOENT' });
});
