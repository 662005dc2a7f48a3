import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json, JsonObject, KubeObject } from '../../wire/json.ts';
import { validateCrd, validateCrdUpdate } from './validate-crd.ts';

const object = { type: 'object' } as const;

/** A sound CRD; `spec` and `version` replace parts of it. */
function crd(spec: JsonObject = {}, version: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'tests.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'tests', singular: 'test', kind: 'Test', listKind: 'TestList' },
      conversion: { strategy: 'None' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: object }, ...version },
      ],
      ...spec,
    },
    status: { storedVersions: ['v1'] },
  };
}

const schema = (root: JsonObject): KubeObject => crd({}, { schema: { openAPIV3Schema: root } });
const property = (a: JsonObject): KubeObject => schema({ ...object, properties: { a } });
const SCHEMA = 'spec.validation.openAPIV3Schema';
const A = `${SCHEMA}.properties[a]`;

/** Each row: what is judged, the fields that are named, and words of the first message. */
const rows: readonly (readonly [string, KubeObject, readonly string[], RegExp?])[] = [
  ['a sound CRD', crd(), []],
  ['no group', crd({ group: '' }), ['metadata.name', 'spec.group']],
  ['a group with capitals', crd({ group: 'Example.com' }), ['metadata.name', 'spec.group']],
  ['an unknown scope', crd({ scope: 'Planet' }), ['spec.scope'], /supported values: "Cluster", "Namespaced"/],
  [
    'a plural that is no label',
    crd({ names: { plural: 'Tests', singular: 'test', kind: 'Test', listKind: 'TestList' } }),
    ['metadata.name', 'spec.names.plural'],
  ],
  [
    'kind as listKind, a bad short name and category',
    crd({
      names: {
        plural: 'tests',
        singular: 'test',
        kind: 'Test',
        listKind: 'Test',
        shortNames: ['ok', 'Bad'],
        categories: ['a.b'],
      },
    }),
    ['spec.names.listKind', 'spec.names.shortNames[1]', 'spec.names.categories[0]'],
  ],
  ['no schema', crd({}, { schema: {} }), ['spec.versions[0].schema.openAPIV3Schema']],
  [
    'a warning without deprecation',
    crd({}, { deprecationWarning: 'old' }),
    ['spec.versions[0].deprecationWarning'],
    /only be set for deprecated/,
  ],
  [
    'a warning with a line break',
    crd({}, { deprecated: true, deprecationWarning: 'a\nb' }),
    ['spec.versions[0].deprecationWarning'],
    /found at index 1/,
  ],
  [
    'columns',
    crd({}, { additionalPrinterColumns: [{ name: '', type: 'text', jsonPath: 'spec.a', format: 'x' }] }),
    ['name', 'type', 'format', 'JSONPath'].map((key) => `spec.additionalPrinterColumns[0].${key}`),
  ],
  [
    'scale paths',
    crd({}, { subresources: { scale: { specReplicasPath: '.status.n', labelSelectorPath: '.metadata.l' } } }),
    ['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath'].map(
      (key) => `spec.subresources.scale.${key}`,
    ),
  ],
  [
    'selectable fields',
    crd(
      {},
      {
        schema: {
          openAPIV3Schema: {
            ...object,
            properties: { spec: { ...object, properties: { a: { type: 'string' }, o: object } } },
          },
        },
        selectableFields: [
          { jsonPath: '.spec.a' },
          { jsonPath: '.spec.a' },
          { jsonPath: '.spec.o' },
          { jsonPath: '.spec.b' },
          { jsonPath: ".spec['a']" },
          {},
        ],
      },
    ),
    [1, 2, 3, 4, 5].map((i) => `spec.selectableFields[${i}].jsonPath`),
    /Duplicate value/,
  ],
  ['conversion without a strategy', crd({ conversion: {} }), ['spec.conversion.strategy']],
  [
    'a webhook where none is used',
    crd({ conversion: { strategy: 'None', webhook: { clientConfig: { url: 'https://a' } } } }),
    ['spec.conversion.webhookClientConfig'],
    /should not be set when strategy is not set to Webhook/,
  ],
  [
    'a conversion webhook over http, with versions nobody knows',
    crd({
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: 'http://a/b?c#d' },
          conversionReviewVersions: ['v9', 'v9'],
        },
      },
    }),
    [
      'spec.conversion.webhookClientConfig.url',
      'spec.conversion.webhookClientConfig.url',
      'spec.conversion.webhookClientConfig.url',
      'spec.conversion.conversionReviewVersions[1]',
      'spec.conversion.conversionReviewVersions',
    ],
  ],
  ['a root without a type', schema({}), [`${SCHEMA}.type`], /must not be empty at the root/],
  ['a root that is nullable', schema({ ...object, nullable: true }), [`${SCHEMA}.nullable`]],
  [
    'a root with values of any name',
    schema({ ...object, additionalProperties: { type: 'string' } }),
    [`${SCHEMA}.additionalProperties`],
    /must not be used at the root/,
  ],
  [
    'metadata with more than names',
    schema({ ...object, properties: { metadata: { ...object, properties: { labels: object } } } }),
    [`${SCHEMA}.properties[metadata]`],
  ],
  [
    'a default in metadata',
    schema({
      ...object,
      properties: {
        metadata: { ...object, properties: { name: { type: 'string', default: 'x' } } },
      },
    }),
    [`${SCHEMA}.properties[metadata].properties[name].default`],
    /must not be set in top-level metadata/,
  ],
  ['an unknown type', property({ type: 'text' }), [`${A}.type`], /supported values/],
  [
    'keywords that CRDs do not have',
    property({ ...object, patternProperties: { a: object }, definitions: { b: object }, $ref: '#/x' }),
    [`${A}.patternProperties`, `${A}.definitions`, `${A}.$ref`],
  ],
  [
    'a check of a property that is not described',
    schema({ ...object, anyOf: [{ required: ['b'], properties: { b: { minimum: 1 } } }] }),
    [`${SCHEMA}.properties[b]`],
    /because it is defined in .*anyOf\[0\]\.properties\[b\]/,
  ],
  [
    'a type and a text inside oneOf',
    property({ ...object, oneOf: [{ type: 'object', description: 'x' }] }),
    [`${A}.oneOf[0].type`, `${A}.oneOf[0].description`],
    /must be empty to be structural/,
  ],
  ['a pattern that is none', property({ type: 'string', pattern: '(' }), [`${A}.pattern`]],
  [
    'int-or-string that is also open',
    property({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }),
    [`${A}.x-kubernetes-preserve-unknown-fields`],
  ],
  [
    'an embedded resource without a type',
    property({ 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
    [`${A}.type`],
    /must be object if x-kubernetes-embedded-resource is true/,
  ],
  [
    'a keyed list without keys',
    property({ type: 'array', items: object, 'x-kubernetes-list-type': 'map' }),
    [`${A}.x-kubernetes-list-map-keys`],
  ],
  [
    'keys that are optional, nullable, unknown and named twice',
    property({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['n', 'z', 'n'],
      items: { ...object, properties: { n: { type: 'string', nullable: true } } },
    }),
    [
      `${A}.x-kubernetes-list-map-keys`,
      `${A}.x-kubernetes-list-map-keys`,
      `${A}.items.properties[n].default`,
      `${A}.items.properties[n].nullable`,
      `${A}.items.properties[n].default`,
      `${A}.items.properties[n].nullable`,
    ],
  ],
  [
    'a set of objects that are merged',
    property({ type: 'array', items: object, 'x-kubernetes-list-type': 'set' }),
    [`${A}.items.x-kubernetes-map-type`],
    /must be atomic/,
  ],
  [
    'a default of another type',
    property({ type: 'integer', default: 'x' }),
    [`${A}.default`],
    /must be of type integer/,
  ],
  [
    'a default with a field that would be pruned',
    property({ ...object, properties: { b: { type: 'string' } }, default: { c: 'x' } }),
    [`${A}.default`],
    /must not have unknown fields/,
  ],
  [
    'a default that breaks a rule',
    property({ type: 'integer', default: 1, 'x-kubernetes-validations': [{ rule: 'self > 1' }] }),
    [`${A}.default`],
  ],
];

describe('rules of a CustomResourceDefinition', () => {
  for (const [title, given, fields, words] of rows)
    test(title, () => {
      const errors = validateCrd(given);
      assert.deepEqual(
        errors.map(({ field }) => field),
        fields,
      );
      if (words !== undefined) assert.match(errors[0]?.message ?? '', words);
    });

  test('an unchanged schema keeps a rule that would be too dear today', () => {
    const dear = property({
      type: 'array',
      items: {
        type: 'string',
        maxLength: 25,
        'x-kubernetes-validations': [{ rule: 'self.contains("a") && self.contains("b")' }],
      },
    });
    const rule = `${A}.items.x-kubernetes-validations[0].rule`;
    const fields = (old?: KubeObject): string[] => validateCrd(dear, old).map(({ field }) => field);
    assert.deepEqual(fields(), [rule]);
    assert.deepEqual(fields(dear), []);
    assert.deepEqual(fields(property({ type: 'string' })), [rule]);
  });

  test('a version that may still be stored stays', () => {
    const errors = validateCrd({ ...crd(), status: { storedVersions: ['v1', 'v0'] } });
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['status.storedVersions[1]'],
    );
  });

  test('a group of Kubernetes needs a consent that is a URL or a reason', () => {
    const guarded = (approval: string | undefined): string[] => {
      const given = crd({ group: 'x.k8s.io' });
      given.metadata = {
        name: 'tests.x.k8s.io',
        annotations: approval === undefined ? {} : { 'api-approved.kubernetes.io': approval },
      };
      return validateCrd(given).map(({ reason }) => reason);
    };
    assert.deepEqual(guarded(undefined), ['FieldValueRequired']);
    assert.deepEqual(guarded('yes'), ['FieldValueInvalid']);
    assert.deepEqual(guarded('unapproved, a test'), []);
    assert.deepEqual(guarded('https://example.com/pull/1'), []);
  });
});

test('group and plural never change; scope and kind not once the CRD is established', () => {
  const changed = crd({ group: 'other.com', scope: 'Cluster' });
  const fields = (conditions: Json): string[] =>
    validateCrdUpdate(changed, { ...crd(), status: { conditions } }).map(({ field }) => field);
  assert.deepEqual(fields([]), ['spec.group']);
  assert.deepEqual(fields([{ type: 'Established', status: 'True' }]), ['spec.scope', 'spec.group']);
});
