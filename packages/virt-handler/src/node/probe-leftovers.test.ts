import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { makeProbeDirectory, removeLeftovers } from './probe-leftovers.ts';

/** No process has it: the kernel's largest is 4194304. */
const GONE = 5_000_000;

function parent(): { readonly path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'pv-leftovers-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

test('what a virt-handler that is gone has left is removed, what one that lives uses is not', () => {
  using place = parent();
  const left = join(place.path, `podvisor-probe-${GONE}-abc`);
  mkdirSync(left);
  writeFileSync(join(left, 'file'), '');
  const used = makeProbeDirectory(place.path);
  const other = join(place.path, 'podvisor-probe-abc');
  mkdirSync(other);
  removeLeftovers(place.path);
  assert.deepEqual(
    [left, used, other].map((path) => existsSync(path)),
    [false, true, true],
  );
  assert.ok(basename(used).startsWith(`podvisor-probe-${process.pid}-`));
});

test('a directory of somebody else, and a link to one of ours, are left alone', () => {
  using place = parent();
  const foreign = join(place.path, `podvisor-probe-${GONE}-foreign`);
  mkdirSync(foreign);
  const target = join(place.path, 'target');
  mkdirSync(target);
  const link = join(place.path, `podvisor-probe-${GONE}-link`);
  symlinkSync(target, link);
  removeLeftovers(place.path, (process.getuid?.() ?? 0) + 1);
  assert.equal(existsSync(foreign), true);
  removeLeftovers(place.path);
  assert.deepEqual(
    [foreign, link, target].map((path) => existsSync(path)),
    [false, true, true],
  );
});
