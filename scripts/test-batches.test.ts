import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { batchesOf, writeBatches } from './test-batches.ts';

test('files of a package are together, in pieces that are about as large, the longest first', () => {
  const files = [
    ...Array.from({ length: 81 }, (_, i) => `packages/many/src/${i}.test.ts`),
    'packages/few/src/a.test.ts',
    'scripts/a.test.ts',
  ];
  const batches = batchesOf(files);
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [1, 27, 27, 27, 1],
  );
  assert.deepEqual(batches[0], ['scripts/a.test.ts'], 'promtool takes longest');
  assert.deepEqual(batches.flat().toSorted(), files.toSorted());
});

test('hooks and failures of a file are its own', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'batches-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const trace = join(dir, 'trace');
  const write = (name: string, ...lines: string[]): void =>
    writeFileSync(
      join(dir, name),
      [
        "import { appendFileSync } from 'node:fs';",
        "import { after, beforeEach, test } from 'node:test';",
        `const note = (text: string) => appendFileSync(${JSON.stringify(trace)}, text + ' ');`,
        ...lines,
      ].join('\n'),
    );
  write(
    'a.ts',
    "beforeEach(() => note('each-a')); after(() => note('after-a')); test('a', () => note('a'));",
  );
  write('b.ts', "test('b', () => { note('b'); throw new Error('b is broken'); });");
  write('c.ts', "test('c', () => note('c'));");
  const programs = writeBatches(dir, join(dir, 'out'), [['a.ts', 'b.ts', 'c.ts']]);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, ['--test-reporter=tap', ...programs.keys()], {
    encoding: 'utf8',
    env,
  });
  const results = stdout.split('\n').filter((line) => /^ {4}(not )?ok/.test(line));
  assert.deepEqual(
    results.map((line) => line.replace(/ \d+ -/, '').trim()),
    ['ok a', 'not ok b', 'ok c'],
  );
  assert.match(stdout, /location: '.*\/b\.ts:/);
  assert.equal(readFileSync(trace, 'utf8').trim(), 'each-a a after-a b c');
});
