import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cloneTree } from './mapped-mounts.ts';
import { attachTree, makeBlockNode, unmountEntry } from './mount-by-handle.ts';
import { O_PATH, openBeneath, openDirectory } from './open-beneath.ts';

test('a file is shown at another place by handle, and taken away without following links', () => {
  const home = mkdtempSync('/var/tmp/pv-bind-');
  try {
    mkdirSync(join(home, 'claim'));
    mkdirSync(join(home, 'pod'));
    writeFileSync(join(home, 'claim', 'disk.img'), 'content');
    writeFileSync(join(home, 'pod', 'data.img'), '');
    using pod = openDirectory(join(home, 'pod'));
    {
      using source = openBeneath(join(home, 'claim'), 'disk.img', { flags: O_PATH });
      using target = openBeneath(pod, 'data.img', { flags: O_PATH });
      using tree = cloneTree(source);
      attachTree(tree, target);
    }
    assert.equal(readFileSync(join(home, 'pod', 'data.img'), 'utf8'), 'content');
    symlinkSync('data.img', join(home, 'pod', 'link'));
    assert.throws(() => unmountEntry(pod, 'link'), /umount/);
    assert.throws(() => unmountEntry(pod, '../pod/data.img'), /not the name/);
    unmountEntry(pod, 'data.img');
    assert.equal(readFileSync(join(home, 'pod', 'data.img'), 'utf8'), '');
    makeBlockNode(pod, 'disk', (7 << 8) | 200);
    const node = statSync(join(home, 'pod', 'disk'));
    assert.deepEqual([node.isBlockDevice(), node.rdev], [true, (7 << 8) | 200]);
    assert.throws(() => makeBlockNode(pod, 'link', 1), /EEXIST/);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
