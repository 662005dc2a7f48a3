import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unifiedDiff } from './unified-diff.ts';

const lines = (...texts: string[]): string => texts.join('\n');

test('one changed line with its context', () => {
  const from = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i');
  assert.equal(
    unifiedDiff(from, from.replace('e', 'X')),
    '@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n',
  );
  assert.equal(unifiedDiff(from, from), '');
});

test('changes far apart are hunks of their own, near ones share one', () => {
  const from = Array.from({ length: 20 }, (_, i) => `l${i}`).join('\n');
  const far = unifiedDiff(from, from.replace('l1\n', 'X\n').replace('l18', 'Y'));
  assert.equal(far.match(/^@@/gm)?.length, 2);
  const near = unifiedDiff(from, from.replace('l5\n', 'X\n').replace('l9\n', 'Y\n'));
  assert.equal(near.match(/^@@/gm)?.length, 1);
});

test('lines that come and go', () => {
  assert.equal(unifiedDiff(lines('a', 'b'), lines('a', 'x', 'b')), '@@ -1,2 +1,3 @@\n a\n+x\n b\n');
  assert.equal(unifiedDiff(lines('a', 'b', 'c'), lines('a', 'c')), '@@ -1,3 +1,2 @@\n a\n-b\n c\n');
});
