/**
 * The type of one place in an object: what may stand there, and how lists and maps merge. Built-in kinds get
 * theirs from the notation in `types/`, custom resources from their structural schema. Decoding, managed
 * fields, strategic merge, OpenAPI and the protobuf form all read this one description.
 */

export type ScalarType =
  | 'string'
  | 'int32'
  | 'int64'
  | 'integer'
  | 'double'
  | 'bool'
  | 'time'
  | 'microtime'
  | 'bytes'
  | 'quantity'
  | 'intOrString'
  | 'any';

/** How a list merges: as a whole, by value, or by the keys of its items. */
export type ListType = 'atomic' | 'set' | 'map';

/** Rules of strategic merge patch for a field. */
export interface PatchRule {
  readonly merge: boolean;
  readonly retainKeys: boolean;
  /** Key of list items, or '' for lists of plain values. */
  readonly key: string;
}

interface Common {
  /** The whole value changes hands at once, its inside is not tracked. */
  readonly atomic: boolean;
}

export interface ScalarSchema extends Common {
  readonly shape: 'scalar';
  readonly type: ScalarType;
}

export interface StructSchema extends Common {
  readonly shape: 'struct';
  /** Name of the type, for messages and OpenAPI; empty for custom resources. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldSchema>;
  /** Unknown fields are kept. */
  readonly open: boolean;
}

export interface MapSchema extends Common {
  readonly shape: 'map';
  readonly element: Schema;
}

export interface ListSchema extends Common {
  readonly shape: 'list';
  readonly element: Schema;
  readonly listType: ListType;
  readonly keys: readonly string[];
  /** Default values of key fields, where the schema has them. */
  readonly keyDefaults: Readonly<Record<string, string | number | boolean>>;
}

export type Schema = ScalarSchema | StructSchema | MapSchema | ListSchema;

/** A field of a struct. */
export interface FieldSchema {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Zero values (0, false, '') are kept: the Go field is a pointer. */
  readonly pointer: boolean;
  /** An empty object is written where nothing was given: the Go field is a struct. */
  readonly always: boolean;
  /** `null` is written where nothing was given. */
  readonly nullable: boolean;
  readonly patch: PatchRule | undefined;
  /**
   * Its number in the protobuf form; before it the numbers of the messages it stands in there, where JSON has none
   * (the sources of a volume). Empty: the field is not part of that form.
   */
  readonly numbers: readonly number[];
}

/** Anything at all, as one value. */
export const ANY: ScalarSchema = { shape: 'scalar', type: 'any', atomic: false };
