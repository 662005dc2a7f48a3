import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../wire/json.ts';
import { celErrors } from './cel/cel-check.ts';
import { structuralErrors } from './structural.ts';

const fields = (schema: JsonObject): string[] => structuralErrors(schema, 's').map(({ field }) => field);
const spec = (of: JsonObject): JsonObject => ({ type: 'object', properties: { spec: of } });

test('every place has a type, unless it is open', () => {
  assert.deepEqual(fields(spec({})), ['s.properties[spec].type']);
  assert.deepEqual(fields(spec({ 'x-kubernetes-int-or-string': true })), []);
  assert.deepEqual(fields(spec({ type: 'array', items: {} })), ['s.properties[spec].items.type']);
});

test('inside anyOf only values are checked, but for the pair of int-or-string', () => {
  const pair = [{ type: 'integer' }, { type: 'string' }];
  assert.deepEqual(fields(spec({ 'x-kubernetes-int-or-string': true, anyOf: pair })), []);
  assert.equal(fields(spec({ type: 'object', anyOf: [{ type: 'integer' }] })).length, 1);
});

test('rules are checked against the types of the schema', () => {
  const withRule = (rule: string): JsonObject =>
    spec({ type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-validations': [{ rule }] });
  const messages = (rule: string): string[] => celErrors(withRule(rule), 's').map(({ message }) => message);
  assert.deepEqual(messages('self.a.startsWith("x") && has(self.a)'), []);
  assert.match(messages('self.b == 1')[0] ?? '', /undefined field 'b'/);
  assert.match(messages('self.a')[0] ?? '', /must evaluate to a bool/);
  assert.match(messages('self.a ==')[0] ?? '', /Syntax error/);
});
