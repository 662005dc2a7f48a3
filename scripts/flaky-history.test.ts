import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FLAKY_RUNS, nextHistory, readHistory, tooFlaky, writeHistory } from './flaky-history.ts';

const directory = mkdtempSync(join(tmpdir(), 'flaky-'));
after(() => rmSync(directory, { recursive: true }));

test('runs in a row are counted, a steady run ends the row, and a file that did not run keeps its number', () => {
  const first = nextHistory({ other: 2 }, ['a', 'b'], new Set(['a']));
  assert.deepEqual(first, { other: 2, a: 1 });
  const second = nextHistory(first, ['a', 'b'], new Set(['a', 'b']));
  assert.deepEqual(second, { other: 2, a: 2, b: 1 });
  assert.deepEqual(nextHistory(second, ['a'], new Set()), { other: 2, b: 1 });
});

test(`a file fails that was flaky ${FLAKY_RUNS} runs in a row, if it ran`, () => {
  const history = { a: FLAKY_RUNS, b: FLAKY_RUNS - 1, absent: FLAKY_RUNS + 1 };
  assert.deepEqual(tooFlaky(history, ['a', 'b']), [['a', FLAKY_RUNS]]);
});

test('a history is read as it was written; a lost or broken one begins anew', () => {
  const path = join(directory, 'deep/flaky.json');
  assert.deepEqual(readHistory(path), {});
  writeHistory(path, { a: 2 });
  assert.deepEqual(readHistory(path), { a: 2 });
  writeFileSync(path, '{ "a": ');
  assert.deepEqual(readHistory(path), {});
});
