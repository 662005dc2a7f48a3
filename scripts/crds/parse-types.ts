/**
 * Reads TypeScript interfaces as a data model: names, members, their types, doc comments and tags.
 * Only the subset of TypeScript that API types are written in is understood; anything else is an error
 * with the place in it, so that a type can never silently become a wrong schema.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Comment, parseSync, type TSType } from 'oxc-parser';

export type TypeNode =
  | { readonly kind: 'scalar'; readonly name: 'string' | 'number' | 'boolean' | 'unknown' }
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'array'; readonly items: TypeNode }
  | { readonly kind: 'map'; readonly values: TypeNode }
  | { readonly kind: 'enum'; readonly values: readonly string[] };

export interface Doc {
  readonly description: string;
  readonly tags: ReadonlyMap<string, string>;
}

export interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeNode;
  readonly doc: Doc;
}

export interface Declaration {
  readonly name: string;
  readonly file: string;
  readonly doc: Doc;
  /** What it extends, for an interface. */
  readonly parent: string | undefined;
  /** The aliased type, for `type X = …`; members is empty then. */
  readonly alias: TypeNode | undefined;
  readonly members: readonly Member[];
}

/** All exported interfaces and aliases of the `.ts` files below a folder, by name. */
export function parseTypes(folder: string, ignored: ReadonlySet<string>): Map<string, Declaration> {
  const declarations = new Map<string, Declaration>();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !ignored.has(basename(file)))
    .toSorted();
  for (const file of files) {
    for (const declaration of parseFile(join(folder, file), file)) {
      const twin = declarations.get(declaration.name);
      if (twin) throw new Error(`${declaration.name} is declared in ${twin.file} and in ${file}`);
      declarations.set(declaration.name, declaration);
    }
  }
  return declarations;
}

function parseFile(path: string, file: string): Declaration[] {
  const text = readFileSync(path, 'utf8');
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const docBefore = (start: number): Doc =>
    parseDoc(comments.findLast((c) => c.end <= start && isOnlySpace(text, c, start)));
  const found: Declaration[] = [];
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue;
    const node = statement.declaration;
    const doc = docBefore(statement.start);
    if (node.type === 'TSTypeAliasDeclaration') {
      const alias = typeNode(node.typeAnnotation, `${file}: ${node.id.name}`);
      found.push({ name: node.id.name, file, doc, parent: undefined, alias, members: [] });
    } else if (node.type === 'TSInterfaceDeclaration') {
      const members = node.body.body.map((member): Member => {
        const where = `${file}: ${node.id.name}`;
        if (
          member.type !== 'TSPropertySignature' ||
          member.key.type !== 'Identifier' ||
          !member.typeAnnotation
        )
          throw new Error(`${where}: only plain typed properties are API fields`);
        const name = member.key.name;
        const type = typeNode(member.typeAnnotation.typeAnnotation, `${where}.${name}`);
        return { name, optional: member.optional, type, doc: docBefore(member.start) };
      });
      const parent = node.extends[0]?.expression;
      const parentName = parent?.type === 'Identifier' ? parent.name : undefined;
      found.push({ name: node.id.name, file, doc, parent: parentName, alias: undefined, members });
    }
  }
  return found;
}

function isOnlySpace(text: string, comment: Comment, start: number): boolean {
  return text.slice(comment.end, start).trim() === '';
}

function parseDoc(comment: Comment | undefined): Doc {
  const tags = new Map<string, string>();
  const prose: string[] = [];
  for (const raw of comment?.value.replace(/^\*/, '').split('\n') ?? []) {
    const line = raw.replace(/^\s*\*? ?/, '').trimEnd();
    const tag = /^@(\w+)\s*(.*)$/.exec(line);
    if (tag) tags.set(tag[1] ?? '', tag[2] ?? '');
    else if (line.trim() !== '') prose.push(line.trim());
  }
  return { description: prose.join(' '), tags };
}

function typeNode(node: TSType, where: string): TypeNode {
  switch (node.type) {
    case 'TSStringKeyword':
      return { kind: 'scalar', name: 'string' };
    case 'TSNumberKeyword':
      return { kind: 'scalar', name: 'number' };
    case 'TSBooleanKeyword':
      return { kind: 'scalar', name: 'boolean' };
    case 'TSUnknownKeyword':
      return { kind: 'scalar', name: 'unknown' };
    case 'TSTypeOperator':
      return typeNode(node.typeAnnotation, where);
    case 'TSArrayType':
      return { kind: 'array', items: typeNode(node.elementType, where) };
    case 'TSParenthesizedType':
      return typeNode(node.typeAnnotation, where);
    case 'TSLiteralType':
      return { kind: 'enum', values: [literal(node, where)] };
    case 'TSUnionType':
      // A union of scalars only appears in the aliases of meta.ts, whose schema is fixed by name.
      return node.types.every((member) => member.type === 'TSLiteralType')
        ? { kind: 'enum', values: node.types.map((member) => literal(member, where)) }
        : { kind: 'scalar', name: 'unknown' };
    case 'TSTypeReference':
      return reference(node, where);
    default:
      throw new Error(`${where}: ${node.type} has no schema`);
  }
}

function reference(node: Extract<TSType, { type: 'TSTypeReference' }>, where: string): TypeNode {
  if (node.typeName.type !== 'Identifier') throw new Error(`${where}: qualified names have no schema`);
  const name = node.typeName.name;
  const parameters = node.typeArguments?.params ?? [];
  const last = parameters.at(-1);
  if (name === 'Readonly' && last) return typeNode(last, where);
  if (name === 'Record' && last?.type === 'TSNeverKeyword') return { kind: 'scalar', name: 'unknown' };
  if (name === 'Record' && last) return { kind: 'map', values: typeNode(last, where) };
  return { kind: 'reference', name };
}

function literal(node: TSType, where: string): string {
  if (
    node.type !== 'TSLiteralType' ||
    node.literal.type !== 'Literal' ||
    typeof node.literal.value !== 'string'
  )
    throw new Error(`${where}: only string literals have a schema`);
  return node.literal.value;
}
