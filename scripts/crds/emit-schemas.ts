/**
 * Turns parsed API types into one constant per type, each a structural OpenAPI v3 schema. A field that
 * uses a type spreads its constant and adds its own description and list rules, so every type is written
 * (and held in memory) once however many kinds use it.
 */
import type { Declaration, Doc, Member, TypeNode } from './parse-types.ts';

/** Schema text of the aliases in meta.ts. */
const ALIASES: Readonly<Record<string, string>> = {
  Quantity: 'QUANTITY',
  IntOrString: 'INT_OR_STRING',
  Json: "{ 'x-kubernetes-preserve-unknown-fields': true }",
  EmbeddedObjectMeta: "{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }",
  EmptyObject: "{ type: 'object' }",
  ObjectMeta: "{ type: 'object' }",
  Time: "{ type: 'string', format: 'date-time' }",
  Base64: "{ type: 'string', format: 'byte' }",
  Int: "{ type: 'integer' }",
  Int32: "{ type: 'integer', format: 'int32' }",
  Int64: "{ type: 'integer', format: 'int64' }",
};

/** Tags whose value is JSON (or nothing) and the schema keyword that each becomes. */
const TAGS: Readonly<Record<string, string>> = {
  default: 'default',
  listMapKeys: "'x-kubernetes-list-map-keys'",
  maxItems: 'maxItems',
  maxLength: 'maxLength',
  maximum: 'maximum',
  minItems: 'minItems',
  minLength: 'minLength',
  minimum: 'minimum',
  nullable: 'nullable',
  preserveUnknownFields: "'x-kubernetes-preserve-unknown-fields'",
  validations: "'x-kubernetes-validations'",
};
/** Tags whose value is plain text. */
const TEXT_TAGS: Readonly<Record<string, string>> = {
  listType: "'x-kubernetes-list-type'",
  mapType: "'x-kubernetes-map-type'",
  pattern: 'pattern',
};

const QUANTITY_PATTERN =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const HEADER = `// Generated from src/types by scripts/generate-crds.ts. Do not edit.
import type { JSONSchemaProps } from '../crds/schema.ts';

const INT_OR_STRING: JSONSchemaProps = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};
const QUANTITY: JSONSchemaProps = { ...INT_OR_STRING, pattern: ${JSON.stringify(QUANTITY_PATTERN)} };
`;

export interface Emitted {
  readonly text: string;
  /** Places that have no description yet. */
  readonly undocumented: readonly string[];
}

/** The generated file: every type that the given kinds reach, dependencies first. */
export function emitSchemas(
  declarations: ReadonlyMap<string, Declaration>,
  kinds: readonly string[],
): Emitted {
  const done = new Map<string, string>();
  const undocumented: string[] = [];
  const open: string[] = [];

  function visit(name: string): void {
    if (done.has(name) || name in ALIASES) return;
    if (open.includes(name))
      throw new Error(`${[...open, name].join(' → ')}: a structural schema cannot be recursive`);
    const declaration = whole(name);
    open.push(name);
    for (const used of usedTypes(declaration)) visit(used);
    open.pop();
    if (isMissing(declaration.doc)) undocumented.push(name);
    done.set(name, declare(declaration));
  }

  /** The type with what it inherits, in order of names. */
  function whole(name: string): Declaration {
    const declaration = declarations.get(name);
    if (!declaration) throw new Error(`${open.at(-1) ?? 'registry'} uses the unknown type ${name}`);
    const { parent } = declaration;
    if (parent === undefined || parent === 'KubernetesObject') return declaration;
    const members = [...whole(parent).members, ...declaration.members];
    return { ...declaration, members: members.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  function declare(declaration: Declaration): string {
    if (declaration.alias) return `const ${declaration.name} = ${schemaOf(declaration.alias)};\n`;
    const members =
      declaration.parent === 'KubernetesObject' ? withObjectFields(declaration) : declaration.members;
    for (const member of members)
      if (isMissing(member.doc) && member.name !== 'metadata')
        undocumented.push(`${declaration.name}.${member.name}`);
    const required = members.filter((member) => !member.optional).map((member) => `'${member.name}'`);
    const lines = [
      `const ${declaration.name}: JSONSchemaProps = {`,
      `  type: 'object',`,
      ...keywords(declaration.doc).map((entry) => `  ${entry},`),
      ...(required.length > 0 ? [`  required: [${required.toSorted().join(', ')}],`] : []),
      '  properties: {',
      ...members.map((member) => `    ${member.name}: ${memberSchema(member)},`),
      '  },',
      '};',
    ];
    return `${lines.join('\n')}\n`;
  }

  for (const kind of kinds) visit(kind);
  const map = `export const schemas: Readonly<Record<string, JSONSchemaProps>> = { ${kinds.join(', ')} };\n`;
  return { text: [HEADER, ...done.values(), map].join('\n'), undocumented };
}

const OBJECT_FIELDS: readonly Member[] = [
  objectField('apiVersion', 'The version of the schema that this object is written in.', 'string'),
  objectField('kind', 'The kind of resource that this object is.', 'string'),
];

function objectField(name: string, text: string, scalar: 'string'): Member {
  return {
    name,
    optional: true,
    type: { kind: 'scalar', name: scalar },
    doc: { description: text, tags: new Map() },
  };
}

function withObjectFields(declaration: Declaration): readonly Member[] {
  const own = declaration.members.filter(
    (member) => !['apiVersion', 'kind', 'metadata'].includes(member.name),
  );
  const metadata: Member = {
    name: 'metadata',
    optional: true,
    type: { kind: 'reference', name: 'ObjectMeta' },
    // An API server refuses a CRD that says more of metadata than that it is an object.
    doc: { description: '', tags: new Map() },
  };
  return [...OBJECT_FIELDS, metadata, ...own];
}

function usedTypes(declaration: Declaration): string[] {
  const names: string[] = [];
  const walk = (node: TypeNode): void => {
    if (node.kind === 'reference') names.push(node.name);
    else if (node.kind === 'array') walk(node.items);
    else if (node.kind === 'map') walk(node.values);
  };
  if (declaration.alias) walk(declaration.alias);
  for (const member of declaration.members) walk(member.type);
  return names;
}

function isMissing(doc: Doc): boolean {
  return doc.description === '' || doc.description === '-';
}

function description(doc: Doc): string[] {
  return isMissing(doc) ? [] : [`description: ${JSON.stringify(doc.description)}`];
}

/** The description and tags of a comment as schema keywords. */
function keywords(doc: Doc): string[] {
  const entries = description(doc);
  for (const [tag, value] of doc.tags) {
    if (TEXT_TAGS[tag]) entries.push(`${TEXT_TAGS[tag]}: ${JSON.stringify(unescape(value))}`);
    else if (TAGS[tag]) entries.push(`${TAGS[tag]}: ${value === '' ? 'true' : value}`);
    else throw new Error(`"${doc.description}": unknown tag @${tag}`);
  }
  return entries;
}

function memberSchema(member: Member): string {
  const extra = keywords(member.doc);
  const base = schemaOf(member.type);
  return extra.length === 0 ? base : `{ ...${base}, ${extra.join(', ')} }`;
}

/** `\u002f` keeps a pattern with `*\/` in it from ending the comment. */
function unescape(value: string): string {
  return value.replaceAll('\\u002f', '/');
}

function schemaOf(node: TypeNode): string {
  switch (node.kind) {
    case 'scalar':
      return node.name === 'unknown'
        ? "{ 'x-kubernetes-preserve-unknown-fields': true }"
        : `{ type: '${node.name}' }`;
    case 'enum':
      return `{ type: 'string', enum: [${node.values.map((value) => JSON.stringify(value)).join(', ')}] }`;
    case 'array':
      return `{ type: 'array', items: ${schemaOf(node.items)} }`;
    case 'map':
      return `{ type: 'object', additionalProperties: ${schemaOf(node.values)} }`;
    case 'reference':
      return ALIASES[node.name] ?? node.name;
  }
}
