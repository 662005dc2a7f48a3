/** Where in a YAML text the cursor is, and what the schema of the object knows there. Pure. */

/** As the API server publishes it (OpenAPI v3), with references by name. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/**
 * Keys above the last line of `text`, outermost first; `-` for a member of a list. By indentation, so that it holds while
 * the text is being written and cannot be parsed.
 */
export function keysAbove(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.at(-1) ?? '';
  let limit = indentOf(last);
  const path: string[] = [];
  if (/^\s*- /.test(last)) path.unshift('-');
  for (const line of lines.slice(0, -1).toReversed()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const dashes = /^(\s*)((?:- )*)/.exec(line);
    const outer = dashes?.[1]?.length ?? 0;
    const depth = outer + (dashes?.[2]?.length ?? 0);
    const key = /^\s*(?:- )*([\w./-]+|"[^"]*"):(?:\s|$)/.exec(line)?.[1]?.replaceAll('"', '');
    const isParent = key !== undefined && /:\s*$/.test(line);
    // A list may stand at the indentation of its key.
    const holdsList = path[0] === '-' && isParent && depth === limit && !trimmed.startsWith('- ');
    if (depth < limit || holdsList) {
      if (isParent) path.unshift(key);
      if (isParent) limit = depth;
    }
    if (outer < depth && outer < limit + 1 && depth <= limit && path[0] !== '-') {
      path.unshift('-');
      limit = outer;
    }
  }
  return path;
}

function indentOf(line: string): number {
  return /^\s*(?:- )*/.exec(line)?.[0].length ?? 0;
}

/** The schema at these keys; undefined where it says nothing. */
export function schemaAt(schemas: Schemas, root: Schema, keys: readonly string[]): Schema | undefined {
  let at: Schema | undefined = resolve(schemas, root);
  for (const key of keys) {
    if (at === undefined) return undefined;
    const next: Schema | undefined =
      key === '-'
        ? at.items
        : at.properties !== undefined && Object.hasOwn(at.properties, key)
          ? at.properties[key]
          : typeof at.additionalProperties === 'object'
            ? at.additionalProperties
            : undefined;
    at = next === undefined ? undefined : resolve(schemas, next);
  }
  return at;
}

/** A description may stand beside the reference. */
function resolve(schemas: Schemas, schema: Schema): Schema | undefined {
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
  if (reference === undefined) return schema;
  const found = schemas[reference.replace(/^.*\//, '')];
  return found === undefined
    ? undefined
    : { ...found, ...(schema.description === undefined ? {} : { description: schema.description }) };
}

/** The kind's own schema among those of its group and version. */
export function schemaOfKind(schemas: Schemas, kind: string): Schema | undefined {
  return Object.entries(schemas).find(([name]) => name.endsWith(`.${kind}`))?.[1];
}
