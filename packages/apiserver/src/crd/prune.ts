/** Removes what a structural schema does not have. */
import { memberOf } from '@podvisor/base';
import { library } from '../registry/library.ts';
import { isObject, type Json, type JsonObject } from '../wire/json.ts';
import { type SchemaProps, valueSchema } from './schema-props.ts';

/** Prunes the root of an object in place; metadata is not the schema's business. Returns removed paths. */
export function pruneRoot(schema: SchemaProps, object: JsonObject): string[] {
  const removed: string[] = [];
  pruneObject(schema, object, '', removed, true);
  return removed.toSorted();
}

/** Prunes a value that stands alone, in place. */
export function pruneValue(schema: SchemaProps, value: Json): void {
  prune(schema, value, '', []);
}

function prune(schema: SchemaProps, value: Json | undefined, path: string, removed: string[]): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) value.forEach((item, i) => prune(items, item, `${path}[${i}]`, removed));
  } else if (isObject(value))
    pruneObject(schema, value, path, removed, schema['x-kubernetes-embedded-resource'] === true);
}

const META_FIELDS: ReadonlySet<string> = new Set(library.struct('ObjectMeta').fields.keys());
const IDENTITY = new Set(['apiVersion', 'kind', 'metadata']);

function pruneObject(
  schema: SchemaProps,
  object: JsonObject,
  path: string,
  removed: string[],
  resource: boolean,
): void {
  const values = valueSchema(schema);
  const open =
    schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
  for (const key of Object.keys(object)) {
    const property = memberOf(schema.properties, key) ?? values;
    // Most members are neither to be removed nor hold anything: they need no path.
    if (property !== undefined && typeof object[key] !== 'object') continue;
    const here = path === '' ? key : `${path}.${key}`;
    if (resource && IDENTITY.has(key)) {
      // The metadata of the object itself was read as its type already; that of an object inside was not.
      if (key === 'metadata' && path !== '') pruneMetadata(object[key], here, removed);
      continue;
    }
    if (property !== undefined) prune(property, object[key], here, removed);
    else if (!open) {
      delete object[key];
      removed.push(here);
    }
  }
}

function pruneMetadata(metadata: Json | undefined, path: string, removed: string[]): void {
  if (!isObject(metadata)) return;
  for (const key of Object.keys(metadata)) {
    if (META_FIELDS.has(key)) continue;
    delete metadata[key];
    removed.push(`${path}.${key}`);
  }
}
