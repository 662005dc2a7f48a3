/** The walk of one VM in ARCHITECTURE.md names files that are there; decisions have numbers of their own. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const walk = /^## One VM, from [^]*?(?=\nSome |\n## )/m.exec(text)?.[0] ?? '';

/** The file of this name below `packages/`, or in the folder of the file before or one above it. */
function find(name: string, before: string): string | undefined {
  const places = ['packages'];
  for (let folder = dirname(before); folder.startsWith('packages/'); folder = dirname(folder))
    places.unshift(folder);
  return places.map((place) => join(place, name)).find((path) => existsSync(join(root, path)));
}

test('every file on the way of a VM is where the page says', () => {
  const missing: string[] = [];
  let count = 0;
  let before = '';
  for (const [, name = ''] of walk.matchAll(/`([\w./-]+\.ts)`/g)) {
    const path = find(name, before);
    if (path === undefined) missing.push(name);
    before = path ?? before;
    count += 1;
  }
  assert.deepEqual(missing, []);
  assert.ok(count > 30, `only ${count} files were found on the page`);
});

test('decisions are numbered one by one, and each says its number', () => {
  const directory = join(root, 'docs/decisions');
  const said = readdirSync(directory)
    .toSorted()
    .map((name) => [name.slice(0, 3), /^# (\d+)/.exec(readFileSync(join(directory, name), 'utf8'))?.[1]]);
  const numbers = said.map((_, i) => String(i + 1).padStart(3, '0'));
  assert.deepEqual(
    said,
    numbers.map((number) => [number, number]),
  );
});
