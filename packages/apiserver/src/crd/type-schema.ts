/** The merge type of a structural schema, for managed fields and apply. Made lazily: big CRDs have deep schemas. */
import { memberOf, setMember } from '@podvisor/base';
import { library } from '../registry/library.ts';
import {
  ANY,
  type FieldSchema,
  type ListSchema,
  type ScalarSchema,
  type Schema,
  type StructSchema,
} from '../registry/schema.ts';
import { type SchemaProps, valueSchema } from './schema-props.ts';

const LEAF: ScalarSchema = { shape: 'scalar', type: 'string', atomic: false };

const SCALARS: Readonly<Record<string, ScalarSchema>> = {
  string: LEAF,
  integer: { shape: 'scalar', type: 'integer', atomic: false },
  number: { shape: 'scalar', type: 'double', atomic: false },
  boolean: { shape: 'scalar', type: 'bool', atomic: false },
};

function field(name: string, schema: Schema): FieldSchema {
  return {
    name,
    schema,
    required: false,
    pointer: true,
    always: false,
    nullable: false,
    patch: undefined,
    numbers: [],
  };
}

/** The type of a whole object: apiVersion, kind, metadata, and the schema's own fields. */
export function rootType(schema: SchemaProps): StructSchema {
  const root = structType(schema);
  const fields = new Map(root.fields);
  fields.set('apiVersion', field('apiVersion', LEAF));
  fields.set('kind', field('kind', LEAF));
  fields.set('metadata', field('metadata', library.struct('ObjectMeta')));
  return { ...root, fields };
}

function typeOf(schema: SchemaProps): Schema {
  if (schema.type === 'array') return listType(schema);
  const values = valueSchema(schema);
  if (values !== undefined && schema.properties === undefined) {
    return lazy(() => ({
      shape: 'map',
      element: typeOf(values),
      atomic: schema['x-kubernetes-map-type'] === 'atomic',
    }));
  }
  if (schema.properties !== undefined) return structType(schema);
  if (schema.type === 'object' || schema['x-kubernetes-preserve-unknown-fields'] === true)
    return schema['x-kubernetes-map-type'] === 'atomic' ? { ...ANY, atomic: true } : ANY;
  if (schema['x-kubernetes-int-or-string'] === true) return ANY;
  return memberOf(SCALARS, schema.type ?? '') ?? ANY;
}

function structType(schema: SchemaProps): StructSchema {
  let fields: ReadonlyMap<string, FieldSchema> | undefined;
  return {
    shape: 'struct',
    name: '',
    open: schema['x-kubernetes-preserve-unknown-fields'] === true,
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    get fields() {
      fields ??= new Map(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [
          name,
          field(name, typeOf(property)),
        ]),
      );
      return fields;
    },
  };
}

function listType(schema: SchemaProps): ListSchema {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyDefaults: Record<string, string | number | boolean> = {};
  for (const key of keys) {
    const value = memberOf(schema.items?.properties, key)?.default;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      setMember(keyDefaults, key, value);
  }
  let element: Schema | undefined;
  return {
    shape: 'list',
    listType: listType === 'set' || listType === 'map' ? listType : 'atomic',
    keys,
    keyDefaults,
    atomic: listType !== 'set' && listType !== 'map',
    get element() {
      element ??= schema.items === undefined ? ANY : typeOf(schema.items);
      return element;
    },
  };
}

/** Types refer to each other; the inside of maps is made when first asked for. */
function lazy(make: () => Schema): Schema {
  return make();
}
