/**
 * The definitions and operations of an OpenAPI v2 document in gnostic's protobuf form, which older clients ask for and
 * accept nothing else: they read there what a field is, and whether a kind has `dryRun` (kubectl before 1.26). Field numbers are those of gnostic's `openapiv2.proto`.
 */
import { asObject, asString, type Json, type JsonObject, objectAt, stringAt } from '../wire/json.ts';
import { toYaml } from '../wire/yaml-write.ts';

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

/** A length-delimited field. */
function field(number: number, content: Buffer | string): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

const text = (number: number, value: string): Buffer =>
  value === '' ? Buffer.alloc(0) : field(number, value);

/** The whole document. */
export function openApiV2Protobuf(document: JsonObject): Buffer {
  const info = Buffer.concat([
    text(1, stringAt(document, 'info', 'title')),
    text(2, stringAt(document, 'info', 'version')),
  ]);
  const definitions = named(objectAt(document, 'definitions'));
  const paths = pathBytes(objectAt(document, 'paths'));
  return Buffer.concat([text(1, '2.0'), field(2, info), field(8, paths), field(9, definitions)]);
}

/** Fields of `PathItem`. */
const OPERATIONS: readonly (readonly [string, number])[] = [
  ['get', 2],
  ['put', 3],
  ['post', 4],
  ['delete', 5],
  ['patch', 8],
];

function pathBytes(paths: JsonObject): Buffer {
  return Buffer.concat(
    Object.entries(paths).map(([path, item]) => {
      const operations = OPERATIONS.flatMap(([method, number]) => {
        const operation = asObject(asObject(item)?.[method]);
        return operation === undefined ? [] : [field(number, operationBytes(operation))];
      });
      return field(2, Buffer.concat([text(1, path), field(2, Buffer.concat(operations))]));
    }),
  );
}

/** Parameters of the query and vendor extensions; answers are left out, nobody reads them here. */
function operationBytes(operation: JsonObject): Buffer {
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
  return Buffer.concat([
    ...parameters.map((parameter) => {
      const query = Buffer.concat([
        text(2, stringAt(parameter, 'in')),
        text(4, stringAt(parameter, 'name')),
        text(6, stringAt(parameter, 'type')),
      ]);
      // ParametersItem.parameter.non_body_parameter.query_parameter_sub_schema
      return field(8, field(1, field(2, field(3, query))));
    }),
    ...extensions(operation, 13),
  ]);
}

/** `NamedSchema` entries, as in Definitions and Properties. */
function named(schemas: JsonObject): Buffer {
  return Buffer.concat(
    Object.entries(schemas).map(([name, schema]) =>
      field(1, Buffer.concat([text(1, name), field(2, schemaBytes(asObject(schema) ?? {}))])),
    ),
  );
}

function schemaBytes(schema: JsonObject): Buffer {
  const parts: Buffer[] = [
    text(1, stringAt(schema, '$ref')),
    text(2, stringAt(schema, 'format')),
    text(4, stringAt(schema, 'description')),
  ];
  if (Array.isArray(schema['required']))
    parts.push(...schema['required'].map((name) => field(19, asString(name))));
  const extra = asObject(schema['additionalProperties']);
  if (extra !== undefined) parts.push(field(21, field(1, schemaBytes(extra))));
  const type = stringAt(schema, 'type');
  if (type !== '') parts.push(field(22, field(1, type)));
  const items = asObject(schema['items']);
  if (items !== undefined) parts.push(field(23, field(1, schemaBytes(items))));
  const properties = asObject(schema['properties']);
  if (properties !== undefined) parts.push(field(25, named(properties)));
  return Buffer.concat([...parts, ...extensions(schema, 31)]);
}

function extensions(of: JsonObject, number: number): Buffer[] {
  return Object.entries(of).flatMap(([key, value]) =>
    key.startsWith('x-') && value !== undefined ? [field(number, extension(key, value))] : [],
  );
}

/** Vendor extensions travel as YAML inside an `Any`. */
function extension(name: string, value: Json): Buffer {
  return Buffer.concat([text(1, name), field(2, text(2, toYaml(value)))]);
}
