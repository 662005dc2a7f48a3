/**
 * Fields of an object that its kind does not have, and values of the wrong type, each with its path and what was
 * probably meant. Pure. The API server decides; this says the same earlier, and in words that help.
 */
import { crds, type JSONSchemaProps, type KubernetesObject } from '@podvisor/api';
import { nearest, quantityMeant } from '@podvisor/base';
import type { FieldPath } from './places.ts';

export interface FieldProblem {
  readonly path: FieldPath;
  /** A sentence that begins with the field. */
  readonly text: string;
}

/** Problems of an object of one of our kinds; of others nothing is known here. */
export function fieldProblems(object: KubernetesObject): readonly FieldProblem[] {
  const { apiVersion, kind } = object;
  const crd = crds.find(
    ({ spec }) =>
      spec.names.kind === kind && spec.versions.some(({ name }) => apiVersion === `${spec.group}/${name}`),
  );
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema;
  return schema === undefined ? [] : walk(object, schema, [], kind ?? '');
}

function walk(value: unknown, schema: JSONSchemaProps, path: FieldPath, kind: string): FieldProblem[] {
  if (value === null || value === undefined) return [];
  const wrong = typeProblem(value, schema);
  if (wrong !== undefined) return [{ path, text: `${pathText(path)} ${wrong}` }];
  if (Array.isArray(value))
    return value.flatMap((item, i) => walk(item, schema.items ?? {}, [...path, i], kind));
  if (typeof value !== 'object') return [];
  const { properties, additionalProperties } = schema;
  return Object.entries(value).flatMap(([key, inner]) => {
    const inside = [...path, key];
    const known = properties === undefined ? additionalProperties : properties[key];
    if (known !== undefined) return walk(inner, known, inside, kind);
    if (properties === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true) return [];
    return [{ path: inside, text: `${pathText(inside)} is not a field of ${kind}${meant(key, properties)}` }];
  });
}

function meant(key: string, properties: Readonly<Record<string, unknown>>): string {
  const near = nearest(key, Object.keys(properties));
  if (near !== undefined) return `; did you mean \`${near}\`?`;
  const all = Object.keys(properties);
  return all.length > 12 ? '' : `; there are: ${all.join(', ')}`;
}

function typeProblem(value: unknown, schema: JSONSchemaProps): string | undefined {
  const found = Array.isArray(value) ? 'array' : typeof value;
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (found !== 'string' && found !== 'number') return `must be a number or text, not ${named(found)}`;
    const { pattern } = schema;
    if (pattern === undefined || new RegExp(pattern).test(String(value))) return undefined;
    return `must be a quantity, not "${String(value)}"${quantityMeant(String(value))}`;
  }
  const { type } = schema;
  if (type === undefined || type === found || (type === 'integer' && Number.isInteger(value)))
    return undefined;
  return `must be ${named(type)}, not ${named(found)}`;
}

const NAMES: Readonly<Record<string, string>> = {
  object: 'an object with fields',
  array: 'a list',
  integer: 'a whole number',
  number: 'a number',
  string: 'text (in quotes, if it looks like a number)',
  boolean: 'true or false',
};

function named(type: string): string {
  return NAMES[type] ?? type;
}

/** `spec.template.spec.domain.devices.disks[0].name`. */
export function pathText(path: FieldPath): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('');
}

/** The other way round; also of texts that begin with a dot. */
export function pathOf(text: string): FieldPath {
  return [...text.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([whole, index]) =>
    index === undefined ? whole : Number(index),
  );
}
