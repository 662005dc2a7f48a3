/** Fills in the defaults of a structural schema, in place. Nulls of fields that are not nullable count as missing. */
import { cloneJson, isObject, type Json, type JsonObject } from '../wire/json.ts';
import { type SchemaProps, valueSchema } from './schema-props.ts';

export function applySchemaDefaults(schema: SchemaProps, object: JsonObject): void {
  fill(schema, object);
}

function fill(schema: SchemaProps, value: Json | undefined): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) fill(schema.items, item);
    return;
  }
  if (!isObject(value)) return;
  const properties = schema.properties ?? {};
  for (const key in properties) {
    const property = properties[key];
    if (property?.default === undefined) continue;
    if (value[key] === undefined || (value[key] === null && property.nullable !== true))
      value[key] = cloneJson(property.default);
  }
  const values = valueSchema(schema);
  for (const key in value) {
    const property = properties[key] ?? values;
    if (property === undefined) continue;
    if (value[key] === null && property.nullable !== true && property.default !== undefined)
      value[key] = cloneJson(property.default);
    fill(property, value[key]);
  }
}

/** Drops nulls that the schema neither allows nor replaces, as the real server does on the way in. */
export function dropNulls(schema: SchemaProps, value: Json | undefined): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) dropNulls(schema.items, item);
    return;
  }
  if (!isObject(value)) return;
  const values = valueSchema(schema);
  for (const key of Object.keys(value)) {
    const property = schema.properties?.[key] ?? values;
    if (property === undefined) continue;
    if (value[key] === null && property.nullable !== true && schema.properties?.[key]?.default !== undefined)
      delete value[key];
    else dropNulls(property, value[key]);
  }
}
