import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, isObject, type Json } from '../../wire/json.ts';
import { evaluate, toCel } from './cel.ts';
import { compileRules, validateRules } from './cel-rules.ts';

const numbers = (count: number): Json => Array.from({ length: count }, (_, i) => i);
const kind = { apiVersion: 'example.org/v1', kind: 'Long', metadata: { name: 'long' } };
const words = (count: number): Json => Array.from({ length: count }, (_, i) => `word-${i}`);

/** Expressions that look at all for each. */
const quadratic: readonly string[] = [
  'self.all(a, self.exists(b, a + b < 0) || true)',
  'self.all(a, self.filter(b, b == a).size() == 1)',
  'self.all(a, a in self)',
  'self.map(a, self.map(b, b)).size() > 0',
  'self.exists(a, self.all(i, b, b == a))',
  'self.distinct().size() > 0',
  'sets.contains(self, self)',
  'self.all(a, self == self)',
  'self.all(a, self.indexOf(a) >= 0)',
];

for (const expression of quadratic)
  test(`${expression}: a usual list is looked at, a very long one costs too much`, () => {
    assert.doesNotThrow(() => evaluate(expression, { self: toCel(numbers(100), undefined) }));
    const before = process.cpuUsage();
    assert.throws(() => evaluate(expression, { self: toCel(numbers(50_000), undefined) }), {
      message: 'operation cancelled: actual cost limit exceeded',
    });
    const { user } = process.cpuUsage(before);
    assert.ok(user < 5_000_000, `${user} µs`);
  });

test('an expression that passes over its error still has cost too much', () => {
  const self = toCel(numbers(50_000), undefined);
  assert.throws(() => evaluate('self.all(a, a in self) || true', { self }), /cost limit exceeded/);
});

test('a pattern costs by the length of the text', () => {
  const self = toCel(words(1_000), undefined);
  const long = 'a'.repeat(100_000);
  assert.equal(evaluate('self.all(a, a.matches("^word-[0-9]+$"))', { self }), true);
  assert.throws(
    () => evaluate('self.all(a, !long.matches("^(a+)+$!"))', { self, long }),
    /cost limit exceeded/,
  );
});

test('a text that would grow by another costs by what it becomes', () => {
  const self = 'a'.repeat(20_000);
  assert.throws(() => evaluate('self.replace("a", self).size() > 0', { self }), /cost limit exceeded/);
  assert.equal(evaluate('self.replace("a", "b", 3).startsWith("bbba")', { self }), true);
});

test('the next expression begins with its whole limit', () => {
  const self = toCel(numbers(50_000), undefined);
  assert.throws(() => evaluate('self.all(a, a in self)', { self }), /cost limit exceeded/);
  assert.equal(evaluate('self.all(a, a >= 0)', { self }), true);
});

test('rules of the items of a list have a limit together', () => {
  const rule = { rule: 'self.list.all(a, a in self.list)' };
  const item = {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'integer' } } },
    'x-kubernetes-validations': [rule],
  };
  const rules = compileRules({ type: 'object', properties: { items: { type: 'array', items: item } } });
  const object = (count: number) => ({
    ...kind,
    items: Array.from({ length: count }, () => ({ list: numbers(1_000) })),
  });
  assert.deepEqual(validateRules(rules, object(10), undefined, []), []);
  const problems = validateRules(rules, object(200), undefined, []);
  assert.match(problems.at(-1)?.message ?? '', /running out of cost budget, no further validation rules/);
});

test('old items of a list of very many are found by their keys', () => {
  const item = {
    type: 'object',
    properties: { name: { type: 'string' }, value: { type: 'integer' } },
    'x-kubernetes-validations': [{ rule: 'self.value >= oldSelf.value' }],
  };
  const list = {
    type: 'array',
    items: item,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  } as const;
  const rules = compileRules({ type: 'object', properties: { items: list } });
  const object = (value: number) => ({
    ...kind,
    items: Array.from({ length: 20_000 }, (_, i) => ({ name: `n${i}`, value: i === 7 ? value : 1 })),
  });
  const before = process.cpuUsage();
  const problems = validateRules(rules, object(0), object(1), []);
  assert.ok(process.cpuUsage(before).user < 5_000_000);
  assert.equal(problems.length, 1);
  assert.ok(isObject(problems[0]) && at(problems[0], 'field') === 'items[7]');
});
