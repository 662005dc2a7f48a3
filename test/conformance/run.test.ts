/** The runner itself: what it counts, what it skips, and that a crash is a failure. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { differences } from './differences.ts';
import { jsonLines } from './records.ts';
import { fileLines, totalLine } from './report.ts';
import { runConformance } from './run.ts';
import { notBuilt, subject } from './subject.ts';

const directory = mkdtempSync(join(tmpdir(), 'conformance-'));
after(() => rmSync(directory, { recursive: true }));
mkdirSync(join(directory, 'sums'));
const cases = [
  { id: 'right', add: [1, 2], sum: 3 },
  { id: 'wrong', add: [1, 2], sum: 4 },
  { id: 'broken', add: null, sum: 0 },
  { id: 'known', add: [], sum: 1 },
];
writeFileSync(join(directory, 'sums/cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
writeFileSync(join(directory, 'later.json'), '[]');
writeFileSync(join(directory, 'README.md'), 'not a case');

const sums = subject<{ id: string; add: number[]; sum: number }>('sums', /^sums\//, {
  load: jsonLines,
  check: ({ add, sum }) =>
    differences(
      sum,
      add.reduce((a, b) => a + b, 0),
      'sum',
    ),
});
const options = {
  directory,
  subjects: [sums, notBuilt('later', /^later/, 'nobody had time')],
  exceptions: [{ file: 'sums/cases.jsonl', id: 'known', reason: 'the empty sum is 0' }],
};

test('passes, failures and exceptions are counted, and told apart', async () => {
  const reports = await runConformance(options);
  assert.deepEqual(
    reports.flatMap((report) => fileLines(report, true)).map((line) => line.replace(/ \(at .*/, '')),
    [
      'sums/cases.jsonl: 1 passed, 2 failed, 1 skipped',
      '  skipped known: the empty sum is 0',
      '  FAILED wrong',
      '    sum: expected 4, got 3',
      '  FAILED broken',
      "    threw TypeError: Cannot read properties of null (reading 'reduce')",
      'later.json: skipped, not built yet: nobody had time',
    ],
  );
  assert.equal(totalLine(reports), 'total: 1 passed, 2 failed, 1 skipped; files skipped: later.json');
});

test('a directory without cases, or no directory, is an error', async () => {
  await assert.rejects(runConformance({ ...options, only: /^nothing$/ }), /no recorded cases in/);
  await assert.rejects(runConformance({ ...options, directory: '/nowhere' }), /is not a directory/);
});
