import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLabelSelector } from './label-selector.ts';

test('the wire form', () => {
  const matchExpressions = [
    { key: 'c', operator: 'In', values: ['d', 'e'] },
    { key: 'f', operator: 'NotIn', values: ['g'] },
    { key: 'h', operator: 'Exists' },
    { key: 'i', operator: 'DoesNotExist' },
  ];
  assert.equal(
    formatLabelSelector({ matchLabels: { a: 'b' }, matchExpressions }),
    'a=b,c in (d,e),f notin (g),h,!i',
  );
});
