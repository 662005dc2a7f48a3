import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesSelector } from './label-selector.ts';

test('an empty selector matches everything, a missing one nothing', () => {
  assert.ok(matchesSelector({}, undefined));
  assert.ok(!matchesSelector(undefined, { a: '1' }));
});

test('labels and expressions must all hold', () => {
  const selector = {
    matchLabels: { app: 'x' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['a', 'b'] },
      { key: 'old', operator: 'DoesNotExist' },
    ],
  };
  assert.ok(matchesSelector(selector, { app: 'x', tier: 'b' }));
  assert.ok(!matchesSelector(selector, { app: 'x', tier: 'c' }));
  assert.ok(!matchesSelector(selector, { app: 'x', tier: 'a', old: '' }));
});

test('NotIn also holds when the label is missing', () => {
  const selector = { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] };
  assert.ok(matchesSelector(selector, {}));
  assert.ok(!matchesSelector(selector, { a: '1' }));
});
