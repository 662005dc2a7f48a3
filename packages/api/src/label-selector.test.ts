import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesRequirement, matchesSelector } from './label-selector.ts';

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

const cases: readonly [string, readonly string[] | undefined, string | undefined, boolean][] = [
  ['In', ['1', '2'], '2', true],
  ['In', ['1'], undefined, false],
  ['NotIn', ['1'], '1', false],
  ['NotIn', ['1'], undefined, true],
  ['Exists', undefined, '', true],
  ['Exists', undefined, undefined, false],
  ['DoesNotExist', undefined, undefined, true],
  ['Gt', ['5'], '10', true],
  ['Gt', ['5'], 'x', false],
  ['Lt', ['5'], '10', false],
  ['Near', ['5'], '5', false],
];

for (const [operator, values, value, expected] of cases) {
  test(`${value} ${operator} ${values} is ${expected}`, () => {
    const labels: Record<string, string> = value === undefined ? {} : { key: value };
    assert.equal(matchesRequirement({ key: 'key', operator, values }, labels), expected);
  });
}

test('inherited properties are no labels', () => {
  assert.equal(matchesRequirement({ key: 'toString', operator: 'Exists' }, {}), false);
});
