/** Files that pages name are there: what moves takes its pages along. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const folders = new Set(
  tracked.flatMap((file) => {
    const parts = file.split('/');
    return parts.map((_, i) => parts.slice(0, i).join('/'));
  }),
);
/** What is made by a build or by running the command, and not tracked. */
const MADE = /^(dist|build|node_modules)\//;
const FROM_ROOT = /^(packages|test|bench|scripts|docs|examples|deploy)\//;
const NAMED = /`([A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*\/?)`/g;

/** A path from the root; of other names of source files, any file that ends so. */
function isThere(name: string): boolean {
  const path = name.replace(/\/$/, '');
  if (MADE.test(name)) return true;
  if (FROM_ROOT.test(name)) return folders.has(path) || tracked.includes(path);
  if (!/\.ts$/.test(name)) return true;
  return tracked.some((file) => file === path || file.endsWith(`/${path}`));
}

for (const page of tracked.filter((file) => file.endsWith('.md')))
  test(`files that ${page} names are there`, () => {
    const text = readFileSync(join(root, page), 'utf8');
    const missing = [...text.matchAll(NAMED)].map(([, name = '']) => name).filter((name) => !isThere(name));
    assert.deepEqual([...new Set(missing)], []);
  });

test('tests that the table of attacks names are there', () => {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const missing: string[] = [];
  let looked = 0;
  // `file` *title*, *another title*: the words of a title, with … for those that are left out.
  for (const [, file = '', titles = ''] of page.matchAll(
    /`([\w.-]+\.test\.ts)`((?:[^`|\n*]*\*[^*\n]+\*)*)/g,
  )) {
    const texts = tracked
      .filter((path) => path.endsWith(`/${file}`))
      .map((path) => readFileSync(join(root, path), 'utf8'));
    for (const [, title = ''] of titles.matchAll(/\*([^*]+)\*/g)) {
      looked += 1;
      const words = title.split('…').map((part) => part.trim());
      if (!texts.some((text) => words.every((part) => text.includes(part))))
        missing.push(`${file}: ${title}`);
    }
  }
  assert.ok(looked > 15, `${looked} titles`);
  assert.deepEqual(missing, []);
});
