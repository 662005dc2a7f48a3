import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../wire/json.ts';
import { checker } from '../rule-types.ts';
import { expressionCost } from './estimate.ts';
import { sizedType } from './sized-type.ts';

/** What a rule on `schema` costs at most. */
function cost(rule: string, schema: JsonObject): number {
  const { result, ast } = checker(schema)(rule, false);
  assert.ok(result.valid, `${rule}: ${String(result.error)}`);
  const self = sizedType(schema);
  assert.ok(ast !== undefined && self !== undefined);
  return expressionCost(ast, self);
}

type Limited = (limit?: number) => JsonObject;

const given = (keyword: string, limit: number | undefined): JsonObject =>
  limit === undefined ? {} : { [keyword]: limit };
const plain = (type: string): JsonObject => {
  if (type === 'int-or-string') return { 'x-kubernetes-int-or-string': true };
  return ['duration', 'date', 'date-time'].includes(type) ? { type: 'string', format: type } : { type };
};
const list =
  (items: JsonObject): Limited =>
  (limit) => ({ type: 'array', items, ...given('maxItems', limit) });
const map =
  (additionalProperties: JsonObject): Limited =>
  (limit) => ({ type: 'object', additionalProperties, ...given('maxProperties', limit) });
const text: Limited = (limit) => ({ type: 'string', ...given('maxLength', limit) });
const object: JsonObject = {
  type: 'object',
  required: ['required'],
  properties: { required: { type: 'string' }, optional: { type: 'string' } },
};
const texts: Limited = (limit) => list(text(limit))(limit);
const named =
  (make: (limit?: number) => JsonObject): Limited =>
  (limit) => ({ type: 'object', properties: make(limit) });

/** Rule, schema, cost without a limit, the limit, cost with it: the figures of Kubernetes' own estimator. */
const KNOWN: readonly (readonly [string, Limited, number, number, number])[] = [
  ['self.all(x, true)', list(plain('number')), 4718591, 10, 32],
  ['self.all(x, true)', list(plain('string')), 3145727, 20, 62],
  ['self.all(x, true)', list(plain('boolean')), 1887437, 5, 17],
  ['self.all(x, true)', list(plain('duration')), 2359295, 5, 17],
  ['self.all(x, true)', list(plain('date')), 725936, 15, 47],
  ['self.all(x, true)', list(plain('date-time')), 428963, 25, 77],
  ['self.all(x, true)', list(plain('int-or-string')), 4718591, 10, 32],
  ['self.all(x, true)', list(list(plain('number'))()), 3145727, 100, 302],
  ['self.all(x, true)', list(object), 555128, 50, 152],
  ['self.all(x, true)', map(plain('number')), 1348169, 10, 32],
  ['self.all(x, true)', map(plain('string')), 1179647, 3, 11],
  ['self.all(x, true)', map(plain('boolean')), 943718, 100, 302],
  ['self.all(x, true)', map(plain('date')), 524288, 10, 32],
  ['self.all(x, true)', map(object), 428963, 20, 62],
  ['self.all(x, true)', map(map(plain('number'))()), 1179647, 10, 32],
  ["self.contains('test')", text, 314574, 10, 5],
  ["self.startsWith('test')", text, 2, 15, 2],
  ["self.endsWith('test')", text, 2, 30, 2],
  ['size(self + "hello") > size("hello")', text, 314578, 4, 7],
  ['self[1] == 0.0', list(plain('number')), 2, 5000, 2],
  ['self[1] == self[1]', list(plain('string')), 314577, 8, 314577],
  ['self.matches("x")', text, 314574, 50, 22],
  ['"".matches("(((((((((())))))))))[0-9]")', text, 7, 10, 7],
  ['self.matches("")', text, 1, 100, 1],
  ['self.all(x, x.contains(self[x]))', (limit) => map(text(limit))(limit), 2752507, 10, 72],
  ['self["x"] == 0.0', map(plain('number')), 2, 0, 2],
  ['self == "x"', text, 2, 0, 1],
  ['self.all(x, x == 0.0)', list(plain('number')), 6291454, 3 * 1024 * 2048, 25165826],
  ['self.all(x, x["y"].required == "z")', (limit) => list(map(object)(limit))(limit), 7340027, 10, 72],
  ['self[0] == 5', list(plain('int-or-string')), 3, 10, 3],
  ['self[0] == false', list(plain('boolean')), 2, 25, 2],
  ['self[0][0] == -1.0', list(list(plain('number'))()), 3, 51, 3],
  ['self.all(x, x.y == 25.2)', list(map(plain('number'))()), 6291452, 12, 74],
  ['self[0].x > 2.0', list(map(plain('number'))()), 4, 3000, 4],
  ['self[0].getHours() == 2', list(plain('duration')), 4, 525, 4],
  ['self[2].getDayOfMonth() == 13', list(plain('date')), 4, 42, 4],
  ["self.find('[0-9]+') == ''", text, 629147, 10, 11],
  ["self.join(' ') == 'aa bb'", texts, 329853068905, 10, 43],
  ['self.isSorted() == true', texts, 329854432052, 10, 52],
  [
    "self.str.replace(self.before, self.after) == 'does not matter'",
    named((limit) => ({ str: text(limit), before: text(2), after: text(4) })),
    629154,
    4,
    12,
  ],
  [
    'self.str.split(self.separator) == []',
    named((limit) => ({ str: text(limit), separator: text(limit) })),
    629160,
    10,
    22,
  ],
  ["self.lowerAscii() == 'lower!'", text, 314575, 10, 6],
  ['oldSelf.size() == self.size()', map(plain('integer')), 5, 10, 5],
  ['self["a"] == self["b"]', map(plain('date-time')), 8, 7, 8],
  ["self.contains('A')", (limit) => ({ ...text(limit), enum: ['A', 'LongValue'] }), 2, 1000, 401],
];

describe('what rules cost, as Kubernetes counts', () => {
  for (const [rule, schema, unlimited, limit, limited] of KNOWN)
    test(`${rule} of ${JSON.stringify(schema())}`, () => {
      assert.equal(cost(rule, schema()), unlimited);
      assert.equal(cost(rule, schema(limit)), limited);
    });
});

test('loops in loops are multiplied', () => {
  const numbers = list(plain('number'));
  assert.equal(cost('self.all(x, self.all(y, true))', numbers(10)), 352);
  assert.equal(cost('self.all(x, self.all(y, self.all(z, true)))', numbers(10)), 3552);
  assert.ok(cost('self.all(x, self.all(y, true))', numbers()) > 10_000_000);
});

test('a number as a text has no length that anybody knows', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } } };
  assert.ok(cost("string(self.n) + '!' == ''", schema) > 1_000_000_000);
});

test('what a macro collects has the size of what it went over, and its items theirs', () => {
  // Going over ten costs 1 + 11 + 10 × (12 + 1). Items of a list that was made count as long as `self`, not as theirs.
  assert.equal(cost('self.map(x, x).all(y, y == y)', texts(10)), 142 + 1 + 10 * (3 + 2 + 1));
  assert.equal(cost('self.filter(x, true).size() == 1', texts(10)), 1 + 11 + 10 * 13 + 1 + 1);
  assert.equal(cost("self.exists(x, x == 'a')", texts(10)), 1 + 1 + 10 * (4 + 2));
  assert.equal(cost("self.exists_one(x, x == 'a')", texts(10)), 1 + 2 + 10 * (2 + 2));
});

test('of two ways the dearer one counts; asking for a field costs its owner', () => {
  const schema = { type: 'object', properties: { s: { type: 'string', maxLength: 25 } } };
  assert.equal(cost('has(self.s) ? self.s == "abc" : true', schema), 1 + 3);
  assert.equal(cost('!has(self.s) || self.s.contains("a")', schema), 1 + 1 + 2 + 10);
});
