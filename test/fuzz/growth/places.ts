/**
 * Every list and map of a schema: where it is, and what its entries are. Objects with very many entries there are made
 * of it. Pure.
 */

/** What is used of an OpenAPI schema. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly oneOf?: readonly Schema[];
}

export type Components = Readonly<Record<string, Schema>>;

/** A step into a list is 0. */
export type Path = readonly (string | 0)[];

export interface Place {
  readonly path: Path;
  readonly kind: 'list' | 'map';
  readonly entry: Schema;
}

const MAX_DEPTH = 9;

export function placesOf(root: Schema, components: Components): readonly Place[] {
  const places: Place[] = [];
  const visit = (schema: Schema, path: Path, seen: readonly string[]): void => {
    if (path.length > MAX_DEPTH) return;
    const { name, target } = resolve(schema, components);
    // A schema below itself, as those of definitions, has the same places again.
    if (name !== undefined && seen.includes(name)) return;
    const inside = name === undefined ? seen : [...seen, name];
    const { items, additionalProperties: values, properties } = target;
    if (items !== undefined) {
      places.push({ path, kind: 'list', entry: resolve(items, components).target });
      visit(items, [...path, 0], inside);
    }
    if (typeof values === 'object')
      places.push({ path, kind: 'map', entry: resolve(values, components).target });
    for (const [key, property] of Object.entries(properties ?? {})) visit(property, [...path, key], inside);
  };
  visit(root, [], []);
  return places;
}

/** The schema itself, behind references. */
export function resolve(
  schema: Schema,
  components: Components,
): { readonly name: string | undefined; readonly target: Schema } {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference === undefined) return { name: undefined, target: schema };
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return { name, target: components[name] ?? {} };
}
