/** Fills in the defaults of a structural schema, in place. Nulls of fields that are not nullable count as missing. */
import { memberOf, setMember } from '@podvisor/base';
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
    const given = memberOf(value, key);
    if (given === undefined || (given === null && property.nullable !== true))
      setMember(value, key, cloneJson(property.default));
  }
  const values = valueSchema(schema);
  for (const key in value) {
    const property = memberOf(properties, key) ?? values;
    if (property === undefined) continue;
    if (value[key] === null && property.nullable !== true && property.default !== undefined)
      setMember(value, key, cloneJson(property.default));
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
    const declared = memberOf(schema.properties, key);
    const property = declared ?? values;
    if (property === undefined) continue;
    if (value[key] === null && property.nullable !== true && declared?.default !== undefined)
      delete value[key];
    else dropNulls(property, value[key]);
  }
}
