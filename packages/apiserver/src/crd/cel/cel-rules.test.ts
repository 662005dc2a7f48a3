import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, KubeObject } from '../../wire/json.ts';
import type { SchemaProps } from '../schema-props.ts';
import { celErrors } from './cel-check.ts';
import { compileRules, validateRules } from './cel-rules.ts';

/** What a rule of `spec` says of an object with that spec: of the definition first, then of the object. */
function verdict(rule: string, properties: Record<string, SchemaProps>, spec: Json): string[] {
  const schema: SchemaProps = {
    type: 'object',
    properties: { spec: { type: 'object', properties, 'x-kubernetes-validations': [{ rule }] } },
  };
  const object: KubeObject = { apiVersion: 'g/v1', kind: 'K', metadata: { name: 'n' }, spec };
  const problems = celErrors(JSON.parse(JSON.stringify(schema)), 'schema');
  if (problems.length > 0) return problems.map(({ message }) => `definition: ${message}`);
  return validateRules(compileRules(schema), object, undefined, []).map(({ message }) => message);
}

const TEXT: SchemaProps = { type: 'string', maxLength: 20 };

const HELD: readonly (readonly [string, string, string])[] = [
  ['a dash', 'with-dash', 'self.with__dash__dash'],
  ['a dot', 'with.dot', 'self.with__dot__dot'],
  ['a slash', 'with/slash', 'self.with__slash__slash'],
  ['two underscores', 'with__two', 'self.with__underscores__two'],
  ['a word of the language', 'namespace', 'self.__namespace__'],
  ['a word of the language, by itself', 'namespace', 'self.namespace'],
];

for (const [title, property, expression] of HELD)
  test(`a property is reached whose name has ${title}`, () => {
    const rule = `has(${expression}) && ${expression} == 'yes'`;
    assert.deepEqual(verdict(rule, { [property]: TEXT }, { [property]: 'yes' }), []);
    assert.deepEqual(verdict(rule, { [property]: TEXT }, { [property]: 'no' }), [
      `Invalid value: failed rule: ${rule}`,
    ]);
    assert.equal(verdict(rule, { [property]: TEXT }, {}).length, 1);
  });

test('keys of maps are what they are', () => {
  const labels: SchemaProps = { type: 'object', maxProperties: 10, additionalProperties: TEXT };
  assert.deepEqual(verdict("self.labels['a-b'] == 'yes'", { labels }, { labels: { 'a-b': 'yes' } }), []);
});

test('a property whose name has no escape is not reached', () => {
  const problems = verdict("self.a == 'x'", { 'a b': TEXT }, { 'a b': 'x' });
  assert.match(problems.join(), /undefined field 'a'/);
});
