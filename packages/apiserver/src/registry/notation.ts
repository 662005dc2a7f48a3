/**
 * Reads the notation of `types/`: a line with a type's name (and `atomic`, when it changes hands as a whole),
 * then indented fields, each `name=number type flags;`. Types: a scalar, a type's name, `[]T`, `{}T` (map).
 * The number is the field's in the protobuf form (`=2.1`: field 1 of a message that is field 2 and has no level of
 * its own in JSON); a field without one is not in that form.
 * Marks after the type: `!` required, `*` zero values are kept, `+` always written, `~` null when not given.
 * Flags: `map:a,b` and `set` (list types), `atomic`, `patch:merge:key`, `patch:merge,retainKeys:key`,
 * `patch:replace`.
 */
import {
  ANY,
  type FieldSchema,
  type ListSchema,
  type PatchRule,
  type ScalarType,
  type Schema,
  type StructSchema,
} from './schema.ts';

const SCALARS: ReadonlySet<string> = new Set<ScalarType>([
  'string',
  'int32',
  'int64',
  'integer',
  'double',
  'bool',
  'time',
  'microtime',
  'bytes',
  'quantity',
  'intOrString',
  'any',
]);

/** Defaults of list keys that the API fills in itself. */
const KEY_DEFAULTS: Readonly<Record<string, string>> = { protocol: 'TCP' };

interface Source {
  readonly atomic: boolean;
  readonly fields: string;
}

/** The types of all built-in kinds; a type's fields are read when first asked for. */
export class TypeLibrary {
  readonly #sources = new Map<string, Source>();
  readonly #structs = new Map<string, StructSchema>();

  constructor(texts: readonly string[]) {
    for (const text of texts) this.#index(text);
  }

  /** The type with this name. Throws when there is none. */
  struct(name: string): StructSchema {
    const known = this.#structs.get(name);
    if (known !== undefined) return known;
    const source = this.#sources.get(name);
    if (source === undefined) throw new Error(`the type ${name} is not described`);
    const parse = (): ReadonlyMap<string, FieldSchema> => this.#fields(source.fields);
    let fields: ReadonlyMap<string, FieldSchema> | undefined;
    const struct: StructSchema = {
      shape: 'struct',
      name,
      atomic: source.atomic,
      open: false,
      get fields() {
        fields ??= parse();
        return fields;
      },
    };
    this.#structs.set(name, struct);
    return struct;
  }

  names(): IterableIterator<string> {
    return this.#sources.keys();
  }

  #index(text: string): void {
    let name = '';
    let atomic = false;
    let fields: string[] = [];
    const flush = (): void => {
      if (name !== '') this.#sources.set(name, { atomic, fields: fields.join(' ') });
    };
    for (const line of text.split('\n')) {
      if (line === '') continue;
      if (line.startsWith(' ')) {
        fields.push(line.trim());
        continue;
      }
      flush();
      const [head = '', flag] = line.split(' ');
      [name, atomic, fields] = [head, flag === 'atomic', []];
    }
    flush();
  }

  #fields(text: string): ReadonlyMap<string, FieldSchema> {
    const fields = new Map<string, FieldSchema>();
    for (const part of text.split(';')) {
      const words = part.trim().split(' ');
      const [head = '', marked = '', ...flags] = words;
      const [name = '', numbers] = head.split('=');
      if (name === '') continue;
      const [, type = '', marks = ''] = /^(.*?)([!*+~]*)$/.exec(marked) ?? [];
      fields.set(name, {
        name,
        schema: this.#schema(type, flags),
        required: marks.includes('!'),
        pointer: marks.includes('*'),
        always: marks.includes('+') || name === 'metadata',
        nullable: marks.includes('~'),
        patch: patchRule(flags),
        numbers: numbers?.split('.').map(Number) ?? [],
      });
    }
    return fields;
  }

  #schema(type: string, flags: readonly string[]): Schema {
    const atomic = flags.includes('atomic');
    if (type.startsWith('[]')) return this.#list(type.slice(2), flags);
    if (type.startsWith('{}')) return { shape: 'map', element: this.#schema(type.slice(2), []), atomic };
    if (type === 'any') return ANY;
    if (SCALARS.has(type)) return { shape: 'scalar', type: type as ScalarType, atomic };
    return this.struct(type);
  }

  #list(type: string, flags: readonly string[]): ListSchema {
    const keys =
      flags
        .find((flag) => flag.startsWith('map:'))
        ?.slice(4)
        .split(',') ?? [];
    const listType = keys.length > 0 ? 'map' : flags.includes('set') ? 'set' : 'atomic';
    const element = this.#schema(type, []);
    let keyDefaults: ListSchema['keyDefaults'] | undefined;
    return {
      shape: 'list',
      element,
      listType,
      keys,
      // The fields of a type may lead back to this list: they are read when somebody asks.
      get keyDefaults() {
        keyDefaults ??= defaultsOf(keys, element);
        return keyDefaults;
      },
      atomic: listType === 'atomic',
    };
  }
}

/** A key that must be given has its zero value as its default, as in Kubernetes' OpenAPI. */
function defaultsOf(keys: readonly string[], element: Schema): ListSchema['keyDefaults'] {
  const defaults: Record<string, string | number> = {};
  for (const key of keys) {
    const field = element.shape === 'struct' ? element.fields.get(key) : undefined;
    const fixed = KEY_DEFAULTS[key];
    if (fixed !== undefined) defaults[key] = fixed;
    else if (field?.required === true && field.schema.shape === 'scalar')
      defaults[key] = field.schema.type === 'string' ? '' : 0;
  }
  return defaults;
}

function patchRule(flags: readonly string[]): PatchRule | undefined {
  const flag = flags.find((f) => f.startsWith('patch:'));
  if (flag === undefined) return undefined;
  const [, strategies = '', key = ''] = flag.split(':');
  return { merge: strategies.includes('merge'), retainKeys: strategies.includes('retainKeys'), key };
}
