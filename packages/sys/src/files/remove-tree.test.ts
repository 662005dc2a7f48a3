import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeTree } from './remove-tree.ts';

test('a tree goes although its paths are longer than a path may be, and links out of it lead nowhere', async () => {
  const root = mkdtempSync(join(tmpdir(), 'pv-remove-'));
  const tree = join(root, 'tree');
  try {
    mkdirSync(tree);
    writeFileSync(join(root, 'kept'), 'mine');
    symlinkSync('..', join(tree, 'out'));
    // As a container makes it: name by name, from where it stands.
    execFileSync(
      'sh',
      [
        '-c',
        `i=0; while [ $i -lt 50 ]; do mkdir ${'d'.repeat(200)}; cd -P ${'d'.repeat(200)}; i=$((i+1)); done`,
      ],
      {
        cwd: tree,
      },
    );
    await removeTree(tree);
    assert.equal(existsSync(tree), false);
    assert.equal(existsSync(join(root, 'kept')), true);
    await removeTree(tree);
  } finally {
    execFileSync('rm', ['-rf', root]);
    rmSync(root, { recursive: true, force: true });
  }
});
