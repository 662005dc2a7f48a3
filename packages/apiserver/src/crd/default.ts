/** Fills in the defaults of a structural schema, in place. Nulls of fields that are not nullable count as missing. */
import { memberOf, setMember } from '@podvisor/base';
import { cloneJson, isObject, type Json, type JsonObject } from '../wire/json.ts';
import { type SchemaProps, valueSchema } from './schema-props.ts';

/** The part of a schema that has defaults, in itself or below. Most of a large schema has none, and is not walked. */
interface Defaults {
  readonly default: Json | undefined;
  readonly nullable: boolean;
  /** In the order of the schema. */
  readonly properties: ReadonlyMap<string, Defaults>;
  readonly items: Defaults | undefined;
  /** For members that the schema does not name. */
  readonly values: Defaults | undefined;
  isNamed(key: string): boolean;
}

/** By the schema of a served version, and for as long as that is there. */
const known = new WeakMap<SchemaProps, { readonly defaults: Defaults | undefined }>();

function defaultsOf(schema: SchemaProps): Defaults | undefined {
  let found = known.get(schema);
  if (found === undefined) known.set(schema, (found = { defaults: collect(schema) }));
  return found.defaults;
}

function collect(schema: SchemaProps): Defaults | undefined {
  const properties = new Map<string, Defaults>();
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const below = collect(property);
    if (below !== undefined) properties.set(key, below);
  }
  const items = schema.items && collect(schema.items);
  const described = valueSchema(schema);
  const values = described && collect(described);
  if (schema.default === undefined && properties.size === 0 && !items && !values) return undefined;
  return {
    default: schema.default,
    nullable: schema.nullable === true,
    properties,
    items,
    values,
    isNamed: (key) => schema.properties !== undefined && Object.hasOwn(schema.properties, key),
  };
}

export function applySchemaDefaults(schema: SchemaProps, object: JsonObject): void {
  fill(defaultsOf(schema), object);
}

function fill(defaults: Defaults | undefined, value: Json | undefined): void {
  if (defaults === undefined || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    if (defaults.items !== undefined) for (const item of value) fill(defaults.items, item);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, property] of defaults.properties) {
    const given = memberOf(value, key);
    const isMissing = given === undefined || (given === null && !property.nullable);
    if (property.default !== undefined && isMissing) setMember(value, key, cloneJson(property.default));
    fill(property, memberOf(value, key));
  }
  const { values } = defaults;
  if (values === undefined) return;
  for (const key in value) {
    if (defaults.isNamed(key)) continue;
    if (value[key] === null && !values.nullable && values.default !== undefined)
      setMember(value, key, cloneJson(values.default));
    fill(values, value[key]);
  }
}

/** Drops nulls that the schema neither allows nor replaces, as the real server does on the way in. */
export function dropNulls(schema: SchemaProps, value: Json | undefined): void {
  drop(defaultsOf(schema), value);
}

function drop(defaults: Defaults | undefined, value: Json | undefined): void {
  if (defaults === undefined || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    if (defaults.items !== undefined) for (const item of value) drop(defaults.items, item);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, property] of defaults.properties) {
    const given = memberOf(value, key);
    if (given === null && !property.nullable && property.default !== undefined) delete value[key];
    else drop(property, given);
  }
  const { values } = defaults;
  if (values === undefined) return;
  for (const key in value) if (!defaults.isNamed(key)) drop(values, value[key]);
}
