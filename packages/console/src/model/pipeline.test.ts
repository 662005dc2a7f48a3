import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeParts, handoffSpans } from './pipeline.ts';

test('each handoff has its place on one line of time', () => {
  const spans = handoffSpans([undefined, 100, 0, 300]);
  assert.deepEqual(
    spans.map(({ fromPercent, percent }) => [fromPercent, percent]),
    [
      [0, 0],
      [0, 25],
      [25, 0],
      [25, 75],
    ],
  );
  assert.deepEqual(
    spans.map(({ ms }) => ms),
    [undefined, 100, 0, 300],
  );
});

test('clocks that disagree, and a way that has not begun, are drawn as nothing', () => {
  assert.deepEqual(handoffSpans([undefined]), [{ fromPercent: 0, percent: 0, ms: undefined }]);
  assert.equal(handoffSpans([-5, 10])[1]?.percent, 100);
});

test('what stands between backticks is code', () => {
  assert.deepEqual(codeParts('try `a b` or `c`.'), [
    { text: 'try ', isCode: false },
    { text: 'a b', isCode: true },
    { text: ' or ', isCode: false },
    { text: 'c', isCode: true },
    { text: '.', isCode: false },
  ]);
  assert.deepEqual(codeParts('a ` b'), [{ text: 'a ` b', isCode: false }]);
});
