import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { copyTree } from './copy-tree.ts';

let root: string;
let from: string;
let to: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'podvisor-copy-'));
  from = join(root, 'from');
  to = join(root, 'to');
  mkdirSync(from);
  mkdirSync(to);
});
afterEach(() => rmSync(root, { recursive: true }));

test('a sparse disk stays sparse and is the same', () => {
  const fd = openSync(join(from, 'disk.img'), 'w');
  ftruncateSync(fd, 64 << 20);
  writeSync(fd, 'begin', 0);
  writeSync(fd, 'middle', 32 << 20);
  writeSync(fd, 'end', (64 << 20) - 3);
  let told = 0;
  const result = copyTree(from, to, { onCopied: (bytes) => (told += bytes) });
  const copy = statSync(join(to, 'disk.img'));
  assert.equal(copy.size, 64 << 20);
  assert.ok(copy.blocks < 1000, `${copy.blocks} blocks`);
  execFileSync('cmp', [join(from, 'disk.img'), join(to, 'disk.img')]);
  assert.equal(result.files, 1);
  assert.equal(told, result.bytes);
});

test('files, modes and directories are copied; links stay links', () => {
  mkdirSync(join(from, 'a/b'), { recursive: true });
  writeFileSync(join(from, 'a/b/file'), 'text', { mode: 0o640 });
  writeFileSync(join(root, 'secret'), 'secret');
  symlinkSync(join(root, 'secret'), join(from, 'a/leads-out'));
  symlinkSync(root, join(from, 'directory-leads-out'));
  copyTree(from, to);
  assert.equal(readFileSync(join(to, 'a/b/file'), 'utf8'), 'text');
  assert.equal(statSync(join(to, 'a/b/file')).mode & 0o777, 0o640);
  assert.ok(lstatSync(join(to, 'a/leads-out')).isSymbolicLink());
  assert.equal(readlinkSync(join(to, 'directory-leads-out')), root);
});

test('pipes, sockets and devices are left out and do not block', () => {
  execFileSync('mkfifo', [join(from, 'disk.img')]);
  writeFileSync(join(from, 'file'), '');
  const result = copyTree(from, to);
  assert.deepEqual([result.files, result.skipped], [1, 1]);
  assert.ok(!existsSync(join(to, 'disk.img')));
});

test('one entry alone, and never through a link', () => {
  writeFileSync(join(from, 'disk.img'), 'disk');
  writeFileSync(join(from, 'other'), 'other');
  copyTree(from, to, { only: 'disk.img' });
  assert.ok(existsSync(join(to, 'disk.img')) && !existsSync(join(to, 'other')));
  symlinkSync(join(root, 'secret'), join(from, 'planted.img'));
  assert.throws(() => copyTree(from, to, { only: 'planted.img' }), /holds no file planted\.img/);
});
