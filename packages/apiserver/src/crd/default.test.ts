import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json, JsonObject } from '../wire/json.ts';
import { applySchemaDefaults, dropNulls } from './default.ts';
import type { SchemaProps } from './schema-props.ts';

const WITH_DEFAULT: SchemaProps = { type: 'string', default: 'd' };
const OBJECT: SchemaProps = { type: 'object', properties: { a: WITH_DEFAULT, b: { type: 'string' } } };

const cases: readonly [string, SchemaProps, Json, Json][] = [
  ['what is missing is filled in', OBJECT, {}, { a: 'd' }],
  ['what is there stays', OBJECT, { a: 'x', b: 'y' }, { a: 'x', b: 'y' }],
  ['null is missing', OBJECT, { a: null }, { a: 'd' }],
  ['null without a default stays', OBJECT, { a: 'x', b: null }, { a: 'x', b: null }],
  [
    'null stays where it is allowed',
    { properties: { a: { ...WITH_DEFAULT, nullable: true } } },
    { a: null },
    { a: null },
  ],
  [
    'below a field without a default of its own',
    { properties: { o: OBJECT } },
    { o: {}, p: {} },
    { o: { a: 'd' }, p: {} },
  ],
  ['an object that is not there gets nothing', { properties: { o: OBJECT } }, {}, {}],
  ['a default is completed itself', { properties: { o: { ...OBJECT, default: {} } } }, {}, { o: { a: 'd' } }],
  ['in the items of a list', { properties: { l: { items: OBJECT } } }, { l: [{}] }, { l: [{ a: 'd' }] }],
  [
    'in members that the schema does not name, and only there',
    { properties: { n: { type: 'object' } }, additionalProperties: OBJECT },
    { n: {}, m: {} },
    { n: {}, m: { a: 'd' } },
  ],
  ['a member without a name that is null', { additionalProperties: WITH_DEFAULT }, { m: null }, { m: 'd' }],
  [
    'a name that every object inherits',
    { properties: { constructor: WITH_DEFAULT } },
    {},
    { constructor: 'd' },
  ],
];

describe('defaults of a schema', () => {
  for (const [name, schema, given, wanted] of cases)
    test(name, () => {
      const object = structuredClone(given) as JsonObject;
      dropNulls(schema, object);
      applySchemaDefaults(schema, object);
      assert.deepEqual(object, wanted);
    });
});
