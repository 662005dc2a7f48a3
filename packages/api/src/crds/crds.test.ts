import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conformanceJson, skipWithoutConformance } from '../testing/conformance.ts';
import { crdFor, crds } from './crds.ts';
import { kindRegistry } from './registry.ts';
import type { JSONSchemaProps } from './schema.ts';

/** Columns, categories and versions of one kind as they were recorded. */
interface RecordedSurface {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[] | null;
  readonly categories: readonly string[] | null;
  readonly scope: string;
  readonly versions: readonly Record<string, unknown>[];
}

function withoutDescriptions(schema: JSONSchemaProps): unknown {
  const { description: _description, properties, items, additionalProperties, required, ...rest } = schema;
  return {
    ...rest,
    ...(required && { required: required.toSorted() }),
    ...(items && { items: withoutDescriptions(items) }),
    ...(additionalProperties && { additionalProperties: withoutDescriptions(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, withoutDescriptions(property)]),
      ),
    }),
  };
}

function surfaceOf(kind: string): Omit<RecordedSurface, never> {
  const { metadata, spec } = crdFor(kind);
  return {
    name: metadata.name ?? '',
    group: spec.group,
    kind,
    plural: spec.names.plural,
    singular: spec.names.singular,
    shortNames: spec.names.shortNames ?? null,
    categories: spec.names.categories ?? null,
    scope: spec.scope,
    versions: spec.versions.map((version) => ({
      name: version.name,
      served: version.served,
      storage: version.storage,
      deprecated: version.deprecated ?? null,
      subresources: version.subresources ?? null,
      printerColumns: version.additionalPrinterColumns ?? null,
    })),
  };
}

test('every kind has exactly one storage version', () => {
  for (const crd of crds) {
    assert.equal(crd.spec.versions.filter((version) => version.storage).length, 1, crd.metadata.name);
  }
});

test('crdFor refuses a kind that is not ours', () => {
  assert.throws(() => crdFor('Pod'), /Pod is not a kind/);
});

describe('recorded schemas', { skip: skipWithoutConformance }, () => {
  for (const { kind } of kindRegistry) {
    test(kind, () => {
      const recorded = conformanceJson<JSONSchemaProps>(`schemas/${kind.toLowerCase()}.openapiv3.json`);
      const schema = crdFor(kind).spec.versions[0]?.schema.openAPIV3Schema;
      assert.ok(schema);
      assert.deepEqual(withoutDescriptions(schema), withoutDescriptions(recorded));
    });
  }
});

test('recorded names, versions and columns', { skip: skipWithoutConformance }, () => {
  const recorded = conformanceJson<(RecordedSurface & { conversion: unknown })[]>('crd-surface.json');
  let compared = 0;
  for (const { conversion: _conversion, ...surface } of recorded) {
    // Templates are another project's kinds; it installs its own CRDs.
    if (surface.group === 'template.kubevirt.io') continue;
    assert.deepEqual(surfaceOf(surface.kind), surface);
    compared += 1;
  }
  assert.equal(compared, 19);
});

test('metadata says no more than that it is an object: an API server would refuse the definition', () => {
  for (const crd of crds)
    for (const { schema } of crd.spec.versions)
      assert.deepEqual(
        schema?.openAPIV3Schema?.properties?.['metadata'],
        { type: 'object' },
        crd.metadata.name,
      );
});
