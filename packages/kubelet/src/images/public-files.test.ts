import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyPublicFiles } from './public-files.ts';

const root = mkdtempSync(join(tmpdir(), 'podvisor-public-files-'));
after(() => rmSync(root, { recursive: true }));

test('only what everybody may read is copied, at any depth', async () => {
  const [from, to] = [join(root, 'etc'), join(root, 'copy')];
  const file = (path: string, mode: number): void => {
    mkdirSync(join(from, path, '..'), { recursive: true });
    writeFileSync(join(from, path), path);
    chmodSync(join(from, path), mode);
  };
  file('plain', 0o644);
  file('unlisted', 0o644);
  file('secret', 0o600);
  file('group', 0o640);
  file('dir/a/b/c/deep-secret', 0o600);
  file('dir/a/b/c/deep', 0o644);
  file('closed/readable', 0o644);
  file('closed/inner/readable', 0o644);
  chmodSync(join(from, 'closed'), 0o700);
  symlinkSync('/usr/share/zoneinfo/UTC', join(from, 'link'));
  writeFileSync(join(from, 'huge'), Buffer.alloc(1024 * 1024 + 1));
  mkdirSync(to);
  await copyPublicFiles(from, to, [
    ...['plain', 'secret', 'group', 'dir', 'closed', 'closed/inner', 'link', 'huge', 'not-there', 'no/way'],
  ]);
  const copied = readdirSync(to, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(to.length + 1));
  assert.deepEqual(copied.toSorted(), ['dir/a/b/c/deep', 'link', 'plain']);
  assert.equal(readFileSync(join(to, 'plain'), 'utf8'), 'plain');
  assert.equal(existsSync(join(to, 'closed')), false);
});
