/**
 * Whether two values of one schema mean the same, as Kubernetes compares objects: a quantity is what it amounts to
 * (`1Gi` is `1024Mi`), and an empty list or map is none. Pure.
 */
import { isQuantitySchema } from './crds/quantity-schema.ts';
import { parseQuantity, isRecord } from '@podvisor/base';
import { crdFor } from './crds/crds.ts';
import type { JSONSchemaProps } from './crds/schema.ts';

export function sameMeaning(a: unknown, b: unknown, schema: JSONSchemaProps): boolean {
  if (isNothing(a, schema) || isNothing(b, schema)) return isNothing(a, schema) && isNothing(b, schema);
  if (a === b) return true;
  if (isQuantitySchema(schema)) return sameAmount(a, b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => sameMeaning(item, b[i], schema.items ?? {}));
  if (!isRecord(a) || !isRecord(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) =>
    sameMeaning(a[key], b[key], schema.properties?.[key] ?? schema.additionalProperties ?? {}),
  );
}

/** The same for two specs of one of our kinds. */
export function sameSpec(kind: string, a: unknown, b: unknown): boolean {
  const schema = crdFor(kind)?.spec.versions[0]?.schema.openAPIV3Schema;
  return sameMeaning(a, b, schema?.properties?.spec ?? {});
}

function isNothing(value: unknown, schema: JSONSchemaProps): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0 && !isPresent(schema);
}

/** An object that is no map says something by being there, also one that has no fields: `rng: {}` is a device. */
function isPresent(schema: JSONSchemaProps): boolean {
  if (schema.properties !== undefined) return true;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return schema.type === 'object' && schema.additionalProperties === undefined && !isOpen;
}

function sameAmount(a: unknown, b: unknown): boolean {
  try {
    return parseQuantity(a as string | number).compare(parseQuantity(b as string | number)) === 0;
  } catch {
    return false;
  }
}
