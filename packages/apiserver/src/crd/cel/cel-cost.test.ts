import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../wire/json.ts';
import { celErrors } from './cel-check.ts';

const rooted = (spec: JsonObject): JsonObject => ({ type: 'object', properties: { spec } });
const messages = (spec: JsonObject): string[] =>
  celErrors(rooted(spec), 's').map(({ field, message }) => `${field}: ${message.slice(0, 80)}`);

const items = (rule: string, more: JsonObject = {}, text: JsonObject = {}): JsonObject => ({
  type: 'array',
  ...more,
  items: {
    type: 'object',
    properties: { a: { type: 'string', ...text }, n: { type: 'integer' } },
    'x-kubernetes-validations': [{ rule }],
  },
});

test('texts without a limit in a list without a limit cost too much', () => {
  const found = messages(items('self.a.startsWith("x")'));
  assert.equal(found.length, 3);
  assert.match(found[0] ?? '', /rule: Forbidden: estimated rule cost exceeds budget/);
  assert.match(found[1] ?? '', /contributed to estimated rule cost/);
  assert.match(found[2] ?? '', /^s: Forbidden: x-kubernetes-validations estimated rule cost total/);
});

test('with limits, or without texts, they do not', () => {
  assert.deepEqual(messages(items('self.a.startsWith("x")', { maxItems: 100 }, { maxLength: 100 })), []);
  assert.deepEqual(messages(items('self.n > 3 && has(self.a)')), []);
  assert.deepEqual(messages(items('self.a == "fixed"')), []);
});

test('loops in loops', () => {
  const list = (inner: JsonObject, limit?: number): JsonObject => ({
    type: 'array',
    items: inner,
    ...(limit === undefined ? {} : { maxItems: limit }),
  });
  const rule = (of: JsonObject): JsonObject => ({
    type: 'object',
    properties: { l: of },
    'x-kubernetes-validations': [{ rule: 'self.l.all(x, x.all(y, y > 0))' }],
  });
  const number = { type: 'integer' };
  assert.equal(messages(rule(list(list(number)))).length, 3);
  assert.deepEqual(messages(rule(list(list(number, 10), 10))), []);
});
