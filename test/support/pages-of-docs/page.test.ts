import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { missingLine, rowCommands, stepsOf, tasksOf } from './page.ts';
import { PAGE_ROWS } from './page-rows.ts';

test('a page is its steps: what is typed, and what is printed', () => {
  const page = [
    '# T',
    '```sh\nnot in a step\n```',
    '## 1. A',
    '```sh\none\n```',
    'words',
    '```text\nseen …\n```',
    '```sh\ntwo\n```',
    '## Words only',
    'x',
    '',
  ].join('\n');
  assert.deepEqual(stepsOf(page), [{ title: '1. A', script: 'one\ntwo\n', prints: ['seen …'] }]);
});

test('printed lines are looked for in their order; … is anything, columns may be wider', () => {
  const output = 'NAME   READY\nhello  True   (1 s)\nbye.\n';
  assert.equal(missingLine(['NAME READY', 'hello True …', 'bye.'], output), undefined);
  assert.equal(missingLine(['bye.', 'NAME READY'], output), 'NAME READY');
  assert.equal(missingLine(['bye!'], output), 'bye!');
  assert.equal(missingLine(['byes'], 'bye.\n'), 'byes');
});

test('commands of a row, without those of its first cell and those that the reader has to fill in', () => {
  const page =
    '| `qm list` | words |\n| `kubectl a` now | `virtctl b \\| kubectl c`, `virtctl d …`, `words` | `./podvisor e` |';
  assert.deepEqual(rowCommands(page, '`kubectl a` now'), ['virtctl b | kubectl c', './podvisor e']);
  assert.throws(() => rowCommands(page, 'nothing'), /no row "nothing"/);
});

for (const [page, rows] of Object.entries(PAGE_ROWS))
  test(`docs/${page}: every row is typed by a test, or it is known why not`, () => {
    const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
    assert.deepEqual(tasksOf(text), Object.keys(rows));
    for (const [task, row] of Object.entries(rows))
      if ('typedBy' in row) assert.ok(rowCommands(text, task).length > 0, task);
  });
