/** The schemas inside a schema, with their paths as messages write them. */
import { arrayAt, isObject, type JsonObject, objectAt } from '../wire/json.ts';

export interface ChildSchema {
  readonly schema: JsonObject;
  readonly path: string;
  readonly kind: 'properties' | 'items' | 'additionalProperties';
}

export interface Junction {
  readonly schema: JsonObject;
  readonly path: string;
  readonly key: 'allOf' | 'anyOf' | 'oneOf' | 'not';
  readonly index: number;
}

/** Described properties in the order of their names. */
export function propertiesOf(node: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(objectAt(node, 'properties'))
    .flatMap(([name, child]): [string, JsonObject][] => (isObject(child) ? [[name, child]] : []))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Schemas of the values inside. */
export function children(node: JsonObject, path: string): ChildSchema[] {
  const { items, additionalProperties } = node;
  return [
    ...propertiesOf(node).map(
      ([name, schema]): ChildSchema => ({ schema, path: `${path}.properties[${name}]`, kind: 'properties' }),
    ),
    ...(isObject(items) ? [{ schema: items, path: `${path}.items`, kind: 'items' } as const] : []),
    ...(isObject(additionalProperties)
      ? [
          {
            schema: additionalProperties,
            path: `${path}.additionalProperties`,
            kind: 'additionalProperties',
          } as const,
        ]
      : []),
  ];
}

/** Schemas of the same value that are joined with allOf, anyOf, oneOf and not. */
export function junctions(node: JsonObject, path: string): Junction[] {
  const found: Junction[] = [];
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const)
    arrayAt(node, key).forEach((schema, index) => {
      if (isObject(schema)) found.push({ schema, path: `${path}.${key}[${index}]`, key, index });
    });
  if (isObject(node['not'])) found.push({ schema: node['not'], path: `${path}.not`, key: 'not', index: 0 });
  return found;
}
