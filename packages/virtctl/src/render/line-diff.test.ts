import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lineDiff } from './line-diff.ts';

test('same texts have no difference', () => assert.deepEqual(lineDiff('a\nb\n', 'a\nb\n'), []));

test('a changed line, with three lines around it and a mark for what is left out', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\nsix\n';
  assert.deepEqual(lineDiff(before, before.replace('five', 'FIVE')), [
    '…',
    ' two',
    ' three',
    ' four',
    '-five',
    '+FIVE',
    ' six',
  ]);
});

test('the difference turns the one text into the other', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before.join('\n'), after.join('\n'));
      if (lines.length === 0) return assert.deepEqual(before, after);
      const side = (mark: string): string[] =>
        lines.filter((line) => line.startsWith(mark) || line.startsWith(' ')).map((line) => line.slice(1));
      assert.deepEqual([side('-'), side('+')], [before, after]);
    }),
  );
});
