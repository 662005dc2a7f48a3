import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../wire/json.ts';
import { pruneRoot } from './prune.ts';
import type { SchemaProps } from './schema-props.ts';

const TEXT: SchemaProps = { type: 'string' };
const EMBEDDED: SchemaProps = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  properties: { spec: { type: 'object', properties: { a: TEXT } } },
};

const cases: readonly [what: string, schema: SchemaProps, object: JsonObject, removed: readonly string[]][] =
  [
    ['what the schema has stays', { properties: { a: TEXT } }, { a: 'x' }, []],
    ['what it has not goes', { properties: { a: TEXT } }, { a: 'x', b: 1, c: {} }, ['b', 'c']],
    [
      'identity and metadata of the object itself are not its business',
      { properties: {} },
      { apiVersion: 'v1', kind: 'K', metadata: { name: 'n', strange: 1 } },
      [],
    ],
    [
      'in the items of a list',
      { properties: { l: { items: { properties: { a: TEXT } } } } },
      { l: [{ a: '' }, { b: '' }] },
      ['l[1].b'],
    ],
    [
      'members that have no names of their own',
      { additionalProperties: { properties: { a: TEXT } } },
      { m: { a: '', b: '' } },
      ['m.b'],
    ],
    [
      'unknown fields that are to stay, with what is described beside them',
      {
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { o: { type: 'object', properties: { a: TEXT } } },
      },
      { any: { thing: 1 }, o: { b: 1 } },
      ['o.b'],
    ],
    [
      'an object inside has an identity, and metadata of the fields that metadata has',
      { properties: { o: EMBEDDED } },
      {
        o: { apiVersion: 'v1', kind: 'K', metadata: { name: 'n', strange: 1 }, spec: { a: '', b: '' }, x: 1 },
      },
      ['o.metadata.strange', 'o.spec.b', 'o.x'],
    ],
    [
      'an object that is none inside has none of these',
      { properties: { o: { ...EMBEDDED, 'x-kubernetes-embedded-resource': false } } },
      { o: { kind: 'K', metadata: { name: 'n' }, spec: {} } },
      ['o.kind', 'o.metadata'],
    ],
    ['a name that every object inherits', { properties: {} }, { constructor: {} }, ['constructor']],
    ['null where an object may be', { properties: { o: { ...EMBEDDED, nullable: true } } }, { o: null }, []],
  ];

for (const [what, schema, object, removed] of cases)
  test(what, () => {
    const kept = structuredClone(object);
    assert.deepEqual(pruneRoot(schema, kept), removed);
    assert.deepEqual(pruneRoot(schema, kept), [], 'nothing is left to remove');
  });
