/**
 * What is wrong with an object against a structural schema, in the words of the webhooks. It guards the
 * defaults and rules, which trust the types: a mutating webhook is asked before the API server validates.
 * Limits, enums and CEL are the API server's alone.
 */
import { quantityMeant } from '@podvisor/base';
import type { JSONSchemaProps } from './crds/schema.ts';

/** Sentences such as `spec.template.spec.domain in body is required`. */
export function schemaProblems(value: unknown, schema: JSONSchemaProps): string[] {
  const problems = walk(value, schema, '').filter((problem) => !UNKNOWN_STATUS.test(problem));
  if (!isObject(value) || schema.properties?.spec === undefined || (value.spec ?? null) !== null)
    return problems;
  // A spec that is absent is checked all the same, as null; one that is null is not missed.
  const absent = value.spec === undefined ? [SPEC_REQUIRED] : [];
  const others = problems.filter((problem) => problem !== SPEC_REQUIRED && problem !== SPEC_NULL);
  return [...others, ...absent, SPEC_NULL];
}

const SPEC_REQUIRED = 'spec in body is required';
const SPEC_NULL = 'spec in body must be of type object: "null"';

/** A status may have fields of a later version: whoever writes it is not a user. */
const UNKNOWN_STATUS = /^status\.\S* in body is a forbidden property$/;

function walk(value: unknown, schema: JSONSchemaProps, path: string): string[] {
  // Null means absent: Go reads it as the zero value, and the API server decides whether that may be.
  if (value === null) return [];
  if (schema['x-kubernetes-int-or-string']) return checkIntOrString(value, schema, path);
  if (schema.type !== undefined && typeOf(value) !== schema.type && !isInteger(value, schema))
    return [`${path} in body must be of type ${schema.type}: "${typeOf(value)}"`];
  if (Array.isArray(value)) {
    // Items carry no index; that is how the webhooks say it.
    return schema.items ? value.flatMap((item) => walkGiven(item, schema.items ?? {}, path)) : [];
  }
  return isObject(value) ? checkObject(value, schema, path) : [];
}

/** A null field is absent, but an item or a field that is required cannot be. */
function walkGiven(value: unknown, schema: JSONSchemaProps, path: string): string[] {
  if (value === null && schema.type !== undefined && !schema.nullable)
    return [`${path} in body must be of type ${schema.type}: "null"`];
  return walk(value, schema, path);
}

function checkObject(value: Record<string, unknown>, schema: JSONSchemaProps, path: string): string[] {
  const { additionalProperties, properties } = schema;
  if (!properties) {
    return additionalProperties
      ? Object.entries(value).flatMap(([key, part]) => walk(part, additionalProperties, `${path}.${key}`))
      : [];
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const unknown = isOpen ? [] : Object.keys(value).filter((key) => !(key in properties));
  const required = new Set(schema.required);
  return [
    ...unknown.map((key) => `${path}.${key} in body is a forbidden property`),
    ...[...required]
      .filter((key) => value[key] === undefined)
      .map((key) => `${join(path, key)} in body is required`),
    ...Object.entries(properties).flatMap(([key, property]) => {
      const check = required.has(key) ? walkGiven : walk;
      return value[key] === undefined ? [] : check(value[key], property, join(path, key));
    }),
  ];
}

function checkIntOrString(value: unknown, { pattern }: JSONSchemaProps, path: string): string[] {
  if (typeof value !== 'string' && typeof value !== 'number')
    return [`${path} in body must be of type int or string: "${typeOf(value)}"`];
  const isGood = pattern === undefined || new RegExp(pattern).test(String(value));
  return isGood ? [] : [`${path} in body should match '${pattern}'${quantityMeant(String(value))}`];
}

function isInteger(value: unknown, schema: JSONSchemaProps): boolean {
  return schema.type === 'integer' && Number.isInteger(value);
}

/** The OpenAPI name of a value's type. */
function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
