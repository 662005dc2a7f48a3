/**
 * Turns the API server's description of built-in types into TypeScript: one interface a type, all its fields, with
 * what the description cannot say (closed values, what the server always fills in, texts for `kubectl explain`)
 * from tables. A table that names a type or field that does not exist is an error.
 */
import { library } from '../../packages/apiserver/src/registry/library.ts';
import type {
  FieldSchema,
  ScalarType,
  Schema,
  StructSchema,
} from '../../packages/apiserver/src/registry/schema.ts';
import type { Narrowing } from './narrowings.ts';

/** The aliases of packages/api/src/types/kubernetes/meta.ts, by scalar. */
const SCALARS: Readonly<Record<ScalarType, string>> = {
  string: 'string',
  int32: 'Int32',
  int64: 'Int64',
  integer: 'Int',
  double: 'number',
  bool: 'boolean',
  time: 'Time',
  microtime: 'Time',
  bytes: 'Base64',
  quantity: 'Quantity',
  intOrString: 'IntOrString',
  any: 'Json',
};

/** The text of a type, its tags, and the text of each of its fields. */
export interface TypeTexts {
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface EmitOptions {
  /** The interface of a described type. */
  readonly nameOf: (described: string) => string;
  readonly narrowings: Readonly<Record<string, Narrowing>>;
}

/** Every described type that the given ones reach, themselves included, in the order of their names. */
export function reachable(roots: readonly string[], stop: (name: string) => boolean): string[] {
  const found = new Set<string>();
  const visit = (schema: Schema): void => {
    if (schema.shape === 'scalar') return;
    if (schema.shape !== 'struct') return visit(schema.element);
    if (found.has(schema.name) || stop(schema.name)) return;
    found.add(schema.name);
    for (const field of schema.fields.values()) visit(field.schema);
  };
  for (const root of roots) visit(library.struct(root));
  return [...found].toSorted();
}

/** The fields of several types as those of one: a field is required when all of them require it. */
export function joined(names: readonly string[]): FieldSchema[] {
  const structs = names.map((name) => library.struct(name));
  const fields = new Map(structs.flatMap((struct) => [...struct.fields.values()]).map((f) => [f.name, f]));
  return [...fields.values()].map((field) => ({
    ...field,
    required: structs.every((struct) => struct.fields.get(field.name)?.required),
  }));
}

/** One interface. `texts`: every field of it must have one. */
export function emitInterface(
  name: string,
  fields: readonly FieldSchema[],
  options: EmitOptions,
  texts?: TypeTexts,
): string {
  for (const field of Object.keys(texts?.fields ?? {}))
    if (!fields.some((f) => f.name === field))
      throw new Error(`${name} has a text for ${field}, which does not exist`);
  const lines = fields
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((field) => {
      const key = /^\w+$/.test(field.name) ? field.name : `'${field.name}'`;
      const narrowing = options.narrowings[`${name}.${field.name}`];
      const required = narrowing?.certain ?? field.required;
      const type = narrowing?.type ?? typeOf(field.schema, options);
      const doc = texts ? comment(fieldText(name, field, texts), '  ') : '';
      return `${doc}  readonly ${key}${required ? '' : '?'}: ${type};\n`;
    });
  return `export interface ${name} {\n${lines.join('')}}\n`;
}

/** The comment above an interface: its text, and that it changes hands as a whole when it does. */
export function typeComment(struct: StructSchema, { text }: TypeTexts): string {
  return comment(struct.atomic ? `${text}\n@mapType atomic` : text, '');
}

function fieldText(name: string, { name: field, schema }: FieldSchema, texts: TypeTexts): string {
  const text = texts.fields[field];
  if (text === undefined) throw new Error(`${name}.${field} has no text for kubectl explain`);
  return schema.shape === 'list' && schema.listType === 'atomic' ? `${text}\n@listType atomic` : text;
}

function comment(text: string, indent: string): string {
  const lines = text.split('\n');
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

function typeOf(schema: Schema, options: EmitOptions): string {
  switch (schema.shape) {
    case 'struct':
      return schema.fields.size === 0 ? 'EmptyObject' : options.nameOf(schema.name);
    case 'list':
      return `readonly ${typeOf(schema.element, options)}[]`;
    case 'map':
      return `Readonly<Record<string, ${typeOf(schema.element, options)}>>`;
    case 'scalar':
      return SCALARS[schema.type];
  }
}
