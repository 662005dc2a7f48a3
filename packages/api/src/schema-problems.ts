/**
 * What is wrong with an object against a structural schema, in the words of the webhooks. It guards the
 * defaults and rules, which trust the types: a mutating webhook is asked before the API server validates.
 * Limits, enums and CEL are the API server's alone.
 */
import { quantityMeant } from '@podvisor/base';
import type { JSONSchemaProps } from './crds/schema.ts';

/** Sentences such as `spec.template.spec.domain in body is required`. */
export function schemaProblems(value: unknown, schema: JSONSchemaProps): string[] {
  const problems = walk(value, schema, '');
  if (!isObject(value) || schema.properties?.spec === undefined || (value.spec ?? null) !== null)
    return problems;
  // A spec that is absent is checked all the same, as null; one that is null is not missed.
  const absent = value.spec === undefined ? [SPEC_REQUIRED] : [];
  const others = problems.filter((problem) => problem !== SPEC_REQUIRED);
  return [...others, ...absent, 'spec in body must be of type object: "null"'];
}

const SPEC_REQUIRED = 'spec in body is required';

function walk(value: unknown, schema: JSONSchemaProps, path: string): string[] {
  // Null means absent: Go reads it as the zero value, and the API server decides whether that may be.
  if (value === null) return [];
  if (schema['x-kubernetes-int-or-string']) return checkIntOrString(value, schema, path);
  if (schema.type !== undefined && typeOf(value) !== schema.type && !isInteger(value, schema))
    return [`${path} in body must be of type ${schema.type}: "${typeOf(value)}"`];
  if (Array.isArray(value)) {
    // Items carry no index; that is how the webhooks say it.
    return schema.items ? value.flatMap((item) => walkItem(item, schema.items ?? {}, path)) : [];
  }
  return isObject(value) ? checkObject(value, schema, path) : [];
}

/** A null field is absent, but an item cannot be. */
function walkItem(item: unknown, schema: JSONSchemaProps, path: string): string[] {
  if (item === null && schema.type !== undefined && !schema.nullable)
    return [`${path} in body must be of type ${schema.type}: "null"`];
  return walk(item, schema, path);
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
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined || value[key] === null);
  return [
    ...unknown.map((key) => `${path}.${key} in body is a forbidden property`),
    ...missing.map((key) => `${join(path, key)} in body is required`),
    ...Object.entries(properties).flatMap(([key, property]) =>
      value[key] === undefined ? [] : walk(value[key], property, join(path, key)),
    ),
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
