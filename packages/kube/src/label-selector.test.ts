import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLabelSelector, matchesLabels, matchesRequirement } from './label-selector.ts';

test('an absent selector matches nothing, an empty one everything', () => {
  assert.equal(matchesLabels(undefined, { a: '1' }), false);
  assert.equal(matchesLabels({}, undefined), true);
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
