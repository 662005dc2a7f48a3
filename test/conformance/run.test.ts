/** The runner itself: what it counts, that no half sees the other, and that a crash is a failure. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { differences } from './differences.ts';
import { messageDifferences } from './messages.ts';
import { jsonCases, splitRecord } from './records.ts';
import { fileLines, totalLine } from './report.ts';
import { type RunOptions, runConformance } from './run.ts';
import { subject } from './subject.ts';

const directory = mkdtempSync(join(tmpdir(), 'conformance-'));
after(() => rmSync(directory, { recursive: true }));
mkdirSync(join(directory, 'sums'));
const cases = [
  { id: 'right', add: [1, 2], sum: 3 },
  { id: 'wrong', add: [1, 2], sum: 4 },
  { id: 'broken', add: null, sum: 0 },
  { id: 'known', add: [], sum: 1 },
  { id: 'mended', add: [1], sum: 1 },
  { id: 'fickle', add: [2], sum: 2 },
  { id: 'carried', add: [1], sum: 11 },
  { id: 'needless', add: [2], sum: 2 },
];
writeFileSync(join(directory, 'sums/cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
writeFileSync(join(directory, 'README.md'), 'not a case');

interface Input {
  readonly add: readonly number[];
}
interface Expected {
  readonly sum: number;
}
/** What an assumption adds here: the sum begins with the length of a name. */
const sums = subject<Input, Expected, number>('sums', /^sums\//, {
  load: jsonCases<Input, Expected>({ add: 'input', sum: 'expected' }),
  answer: ({ add }, { stateClaim = '' }) => add.reduce((a, b) => a + b, stateClaim.length),
  compare: ({ sum }, ours) => differences(sum, ours, 'sum'),
});
const file = 'sums/cases.jsonl';
const options: RunOptions = {
  directory,
  subjects: [sums],
  assumptions: [
    { file, cases: ['carried'], words: 'ten were carried over', adds: { stateClaim: '0123456789' } },
    { file, cases: ['needless', 'gone'], words: 'changes nothing', adds: {} },
  ],
  mayFail: [
    { file, id: 'known', reason: 'the empty sum is 0' },
    { file, id: 'mended', reason: 'one was none' },
    { file, id: 'fickle', reason: 'two may be none', sometimes: true },
  ],
};

test('what passes, passes on an assumption, is known to differ and fails is counted and told apart', async () => {
  const reports = await runConformance(options);
  assert.deepEqual(
    reports.flatMap((report) => fileLines(report, true)).map((line) => line.replace(/ \(at .*/, '')),
    [
      'sums/cases.jsonl: 3 passed, 1 passed on an assumption, 4 failed, 1 known to differ',
      '  differs known: the empty sum is 0',
      '  assumed carried',
      '  FAILED wrong',
      '    sum: expected 4, got 3',
      '  FAILED broken',
      "    threw TypeError: Cannot read properties of null (reading 'reduce')",
      '  FAILED mended',
      '    passes, although it is listed: one was none',
      '  FAILED gone',
      '    is listed, but there is no such case',
    ],
  );
  assert.equal(totalLine(reports), 'total: 3 passed, 1 passed on an assumption, 4 failed, 1 known to differ');
});

test('a directory without cases, or no directory, is an error', async () => {
  await assert.rejects(runConformance({ ...options, only: /^nothing$/ }), /no recorded cases in/);
  await assert.rejects(runConformance({ ...options, directory: '/nowhere' }), /is not a directory/);
});

test('a record is split in two, and a field that is on no list is refused', () => {
  const halves = { add: 'input', sum: 'expected' } as const;
  assert.deepEqual(splitRecord<Input, Expected>({ id: 'a', add: [1], sum: 1, note: '' }, halves, ['note']), {
    id: 'a',
    input: { add: [1] },
    expected: { sum: 1 },
  });
  assert.throws(
    () => splitRecord<Input, Expected>({ id: 'a', add: [], sum: 0, state: 1 }, halves),
    /case a has a field state that nobody reads/,
  );
});

test('a message may use other words, but not another field or another value', () => {
  const recorded = `spec.volumes[0].hostDisk must not be '/a', it doesn't exist`;
  assert.deepEqual(messageDifferences(recorded, `there is no "/a" for spec.volumes[0].hostDisk`), []);
  assert.equal(messageDifferences('not now', '').length, 1);
  assert.equal(messageDifferences(recorded, `there is no "/b" for spec.volumes[0].hostDisk`).length, 3);
  assert.equal(messageDifferences(recorded, `there is no "/a" for spec.volumes[1].hostDisk`).length, 3);
});
