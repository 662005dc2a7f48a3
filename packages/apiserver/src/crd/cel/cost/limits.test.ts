import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../wire/json.ts';
import { celErrors } from '../cel-check.ts';

const rooted = (spec: JsonObject): JsonObject => ({ type: 'object', properties: { spec } });
const messages = (spec: JsonObject, unchanged = false): string[] =>
  celErrors(rooted(spec), 's', unchanged).map(({ field, message }) => `${field}: ${message}`);

const items = (rule: string, more: JsonObject = {}, text: JsonObject = {}): JsonObject => ({
  type: 'array',
  ...more,
  items: {
    type: 'object',
    properties: { a: { type: 'string', ...text }, n: { type: 'integer' } },
    'x-kubernetes-validations': [{ rule }],
  },
});
const HELP =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
const RULE = 's.properties[spec].items.x-kubernetes-validations[0].rule';
const TOTAL =
  's: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of';
const CONTRIBUTED = `${RULE}: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`;

test('texts without a limit in a list without a limit cost too much, alone and in all', () => {
  assert.deepEqual(messages(items('self.a.contains("x")')), [
    `${RULE}: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${HELP}`,
    CONTRIBUTED,
    `${TOTAL} more than 100x ${HELP}`,
  ]);
});

test('what is a little dearer than allowed is refused, with the factor', () => {
  // A list without a limit has as many items as fit: 3 MiB of `{},`, each 2 + 1 + 2 units and 10 for its text.
  assert.deepEqual(messages(items('self.a.contains("x")', {}, { maxLength: 25 })), [
    `${RULE}: Forbidden: estimated rule cost exceeds budget by factor of 1.258291x ${HELP}`,
  ]);
});

test('with limits, or without texts, it is not', () => {
  assert.deepEqual(messages(items('self.a.contains("x")', { maxItems: 100 }, { maxLength: 100 })), []);
  assert.deepEqual(messages(items('self.n > 3 && has(self.a)')), []);
  assert.deepEqual(messages(items('self.a == "fixed"')), []);
});

test('an expression for the message counts, once for the schema', () => {
  const spec = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    'x-kubernetes-validations': [{ rule: 'self.n > 3', messageExpression: "'less than ' + string(self.n)" }],
  };
  assert.match(messages(spec)[0] ?? '', /messageExpression: Forbidden: estimated messageExpression cost/);
});

test('rules that are cheap alone may be too dear together; only the dear ones are named', () => {
  const rules = Array.from({ length: 12 }, () => ({ rule: 'self.all(x, self.exists(y, y == 0))' }));
  const list = { type: 'array', items: { type: 'integer' }, maxItems: 1300 };
  const found = messages({ ...list, 'x-kubernetes-validations': [...rules, { rule: 'size(self) > 1' }] });
  assert.equal(found.length, 5);
  assert.match(found[4] ?? '', /^s: Forbidden: .* factor of 1\.\d{6}x/);
});

test('a schema that was accepted before keeps a rule that costs too much alone', () => {
  const spec = items('self.a.contains("x")', {}, { maxLength: 25 });
  assert.equal(messages(spec).length, 1);
  assert.deepEqual(messages(spec, true), []);
});
