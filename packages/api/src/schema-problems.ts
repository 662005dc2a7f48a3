/**
 * What an object lacks against a structural schema, in the words of the webhooks: missing and unknown
 * fields. It guards the rules, which trust the types; full validation is the API server's.
 */
import type { JSONSchemaProps } from './crds/schema.ts';

/** Sentences such as `spec.template.spec.domain in body is required`. */
export function schemaProblems(value: unknown, schema: JSONSchemaProps): string[] {
  return walk(value, schema, '');
}

function walk(value: unknown, schema: JSONSchemaProps, path: string): string[] {
  if (value === null && schema.nullable) return [];
  if (Array.isArray(value)) {
    // Items carry no index; that is how the webhooks say it.
    return schema.items ? value.flatMap((item) => walk(item, schema.items ?? {}, path)) : [];
  }
  if (!isObject(value)) {
    const isWrong = schema.type === 'object' || schema.type === 'array';
    return isWrong && value !== undefined ? [`${path} in body must be of type ${schema.type}`] : [];
  }
  if (schema['x-kubernetes-preserve-unknown-fields']) return [];
  const { additionalProperties, properties } = schema;
  if (!properties) {
    return additionalProperties
      ? Object.entries(value).flatMap(([key, part]) => walk(part, additionalProperties, `${path}.${key}`))
      : [];
  }
  const unknown = Object.keys(value).filter((key) => !(key in properties));
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined || value[key] === null);
  return [
    ...unknown.map((key) => `${path}.${key} in body is a forbidden property`),
    ...missing.map((key) => `${join(path, key)} in body is required`),
    ...Object.entries(properties).flatMap(([key, property]) =>
      value[key] === undefined ? [] : walk(value[key], property, join(path, key)),
    ),
  ];
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
