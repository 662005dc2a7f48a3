import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { visitBeneath } from './visit-beneath.ts';

let root: string;
let tree: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pv-visit-'));
  tree = join(root, 'tree');
  mkdirSync(join(tree, 'a/b'), { recursive: true });
  writeFileSync(join(tree, 'a/b/file'), '');
  writeFileSync(join(tree, 'top'), '');
  writeFileSync(join(root, 'secret'), '', { mode: 0o600 });
});
afterEach(() => rmSync(root, { recursive: true }));

test('everything is visited once, and no link is', async () => {
  symlinkSync('../secret', join(tree, 'link'));
  symlinkSync('.', join(tree, 'a/circle'));
  const seen: string[] = [];
  await visitBeneath(tree, (entry, stats) => {
    seen.push(`${readlinkSync(entry.procPath).slice(tree.length + 1)}${stats.isDirectory() ? '/' : ''}`);
  });
  assert.deepEqual(seen.toSorted(), ['a/', 'a/b/', 'a/b/file', 'top']);
});

test('a link that takes the place of a name after it was looked at leads nowhere', async () => {
  await visitBeneath(tree, (entry, stats) => {
    const path = readlinkSync(entry.procPath);
    // A file becomes a link outwards, and so does a directory that is still to be walked.
    renameSync(path, join(root, 'moved'));
    symlinkSync(stats.isDirectory() ? root : join(root, 'secret'), path);
    chmodSync(entry.procPath, 0o666);
    rmSync(join(root, 'moved'), { recursive: true });
  });
  assert.equal(statSync(join(root, 'secret')).mode & 0o777, 0o600);
});
