/** Turns a request body into an object of the requested kind, or into the 400 that Kubernetes gives. */
import { StatusError } from '@podvisor/base';
import { warn, type VerbContext } from '../core.ts';
import { decodeAs, DecodeError } from '../registry/decode.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import { library } from '../registry/library.ts';
import type { StructSchema } from '../registry/schema.ts';
import { mediaTypeOf } from '../wire/media-type.ts';
import { parseMerging } from '../wire/merging-json.ts';
import { duplicateKeys, jsonProblem } from '../wire/go-json.ts';
import { asObject, isObject, type Json, type JsonObject, type KubeObject, parseJson } from '../wire/json.ts';
import { badRequest } from '../wire/status.ts';
import { decodeMessage, openEnvelope } from '../wire/protobuf/decode.ts';
import { ProtobufError } from '../wire/protobuf/reader.ts';
import { parseYaml, YamlError } from '../wire/yaml.ts';
import { hasOwnScheme, otherKind } from './other-kind.ts';

/** What a body is decoded as; a resource, or the kind of a subresource. */
export interface Target {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Undefined for custom resources. */
  readonly schema: StructSchema | undefined;
  readonly definition: ResourceDefinition;
}

export function targetOf(definition: ResourceDefinition): Target {
  const { group, version, kind } = definition;
  return {
    group,
    version,
    kind,
    schema: definition.custom === undefined ? definition.schema : undefined,
    definition,
  };
}

export type Validation = 'Ignore' | 'Warn' | 'Strict';

/** The media type of the body: JSON and YAML, for built-in kinds also protobuf. */
export function bodyFormat(context: VerbContext): 'json' | 'yaml' | 'protobuf' {
  const type = mediaTypeOf(context.headers['content-type'] ?? 'application/json');
  if (type === 'application/json' || type === '') return 'json';
  if (type === 'application/yaml') return 'yaml';
  if (type === PROTOBUF && context.definition.custom === undefined) return 'protobuf';
  throw new StatusError(
    'UnsupportedMediaType',
    'the body of the request was in an unknown format - accepted media types include: ' +
      (context.definition.custom === undefined
        ? 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
        : 'application/json, application/yaml'),
  );
}

/** Reads the body of a create or update. */
export async function decodeBody(
  context: VerbContext,
  target: Target,
  validation: Validation,
): Promise<KubeObject> {
  const format = bodyFormat(context);
  if (format === 'protobuf') {
    const value = readProtobuf(await context.readBytes(), target);
    return decodeValue(context, target, value, 'Ignore', []);
  }
  const text = await context.readBody();
  const problems: string[] = [];
  const value = format === 'json' ? readJson(text, target, problems) : readYaml(text, target, problems);
  return decodeValue(context, target, value, validation, problems);
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The object in a protobuf envelope, in its JSON form. */
function readProtobuf(bytes: Buffer, target: Target): JsonObject {
  const { schema, kind } = target;
  try {
    const { apiVersion, kind: given, raw } = openEnvelope(bytes);
    const head = { ...(apiVersion === '' ? {} : { apiVersion }), ...(given === '' ? {} : { kind: given }) };
    if (schema === undefined || (given !== '' && given !== kind)) return head;
    return { ...head, ...decodeMessage(schema, raw) };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    const more = bytes.length > 30 ? ' ...' : '';
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${error.message} (${bytes.subarray(0, 30).toString('hex')}${more})`,
    );
  }
}

function readJson(text: string, target: Target, problems: string[]): Json {
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    throw unrecognised(
      target,
      `couldn't get version/kind; json parse error: ${jsonProblem(text) ?? 'malformed'}`,
      text,
    );
  }
  if (value !== null && !isObject(value)) {
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw unrecognised(
      target,
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${kind} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
      text,
    );
  }
  const duplicates = duplicateKeys(text, value);
  problems.push(...duplicates.map((path) => `duplicate field "${path}"`));
  return duplicates.length === 0 || target.schema === undefined ? value : parseMerging(text);
}

function readYaml(text: string, target: Target, problems: string[]): Json {
  try {
    const { value, duplicates } = parseYaml(text);
    if (duplicates.length > 0)
      problems.push(`yaml: unmarshal errors:\n${duplicates.map((line) => `  ${line}`).join('\n')}`);
    return value;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw unrecognised(target, error.message, text);
  }
}

function unrecognised({ kind }: Target, why: string, text: string): StatusError {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(text)})`,
  );
}

function summary(text: string): string {
  if (text === '') return '<empty>';
  const bytes = Buffer.from(text);
  const cut = bytes.subarray(0, 30);
  const more = bytes.length > 30 ? ' ...' : '';
  return (text.startsWith('{') ? cut.toString() : cut.toString('hex')) + more;
}

/** Checks kind and version, drops unknown fields, and reports them as the client asked. */
export function decodeValue(
  context: VerbContext,
  target: Target,
  value: Json,
  validation: Validation,
  problems: string[],
): KubeObject {
  const object = asObject(value) ?? {};
  checkKind(target, object);
  const unknown: string[] = [];
  const decoded =
    target.schema === undefined
      ? decodeCustom(target, object, unknown)
      : decodeBuiltin(target, target.schema, object, unknown);
  keepCleared(object, decoded);
  report(context, target, validation, [...problems, ...unknown.map((path) => `unknown field "${path}"`)]);
  return decoded;
}

/** An empty list of managed fields clears the history; decoding would drop it. */
export function keepCleared(given: JsonObject, decoded: KubeObject): void {
  const metadata = asObject(given['metadata']);
  const fields = metadata?.['managedFields'];
  if (Array.isArray(fields) && fields.length === 0) decoded.metadata.managedFields = [];
}

function report(
  context: VerbContext,
  { kind, version }: Target,
  validation: Validation,
  problems: readonly string[],
): void {
  if (problems.length === 0 || validation === 'Ignore') return;
  if (validation === 'Strict') {
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${problems.join(', ')}`,
    );
  }
  for (const problem of problems) {
    const yaml = /^yaml: unmarshal errors:\n/.exec(problem);
    if (yaml === null) warn(context, problem);
    else for (const line of problem.slice(yaml[0].length).split('\n')) warn(context, line.trim());
  }
}

function checkKind(target: Target, object: JsonObject): void {
  const { group, version, kind } = target;
  const expected = group === '' ? version : `${group}/${version}`;
  for (const key of ['kind', 'apiVersion']) {
    const value = object[key];
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw badRequest(
        `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: json: cannot unmarshal ${typeof value === 'object' ? (Array.isArray(value) ? 'array' : 'object') : typeof value === 'boolean' ? 'bool' : typeof value} into Go struct field .${key} of type string (${summary(JSON.stringify(object))})`,
      );
    }
  }
  const givenKind = object['kind'] ?? '';
  const givenVersion = object['apiVersion'] ?? '';
  if (target.schema === undefined && (givenKind === '' || givenVersion === '')) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${givenKind === '' ? "Object 'Kind' is missing" : "Object 'apiVersion' is missing"} in '${JSON.stringify(object)}' (${summary(JSON.stringify(object))})`,
    );
  }
  if (target.schema !== undefined && !hasOwnScheme(group)) {
    const wrong = otherKind(target, String(givenVersion) || expected, String(givenKind) || kind);
    if (wrong !== undefined) throw badRequest(wrong(summary(JSON.stringify(object))));
  }
  if (givenVersion !== '' && givenVersion !== expected) {
    throw badRequest(
      `the API version in the data (${String(givenVersion)}) does not match the expected API version (${expected})`,
    );
  }
  if (givenKind !== '' && givenKind !== kind) {
    throw badRequest(
      `${String(givenKind)} in version "${version}" cannot be handled as a ${kind}: no kind "${String(givenKind)}" is registered for version "${expected}"`,
    );
  }
}

function decodeBuiltin(
  { group, version, kind }: Target,
  schema: StructSchema,
  object: JsonObject,
  unknown: string[],
): KubeObject {
  try {
    const decoded = decodeAs(
      schema,
      { ...object, kind, apiVersion: group === '' ? version : `${group}/${version}` },
      unknown,
    );
    return decoded as KubeObject;
  } catch (error) {
    if (error instanceof DecodeError)
      throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`);
    throw error;
  }
}

function decodeCustom(
  { kind, version, definition }: Target,
  object: JsonObject,
  unknown: string[],
): KubeObject {
  let metadata: JsonObject;
  const metaUnknown: string[] = [];
  try {
    metadata = decodeMeta(object, metaUnknown);
  } catch (error) {
    if (error instanceof DecodeError)
      throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`);
    throw error;
  }
  const decoded = { ...object, metadata } as KubeObject;
  const pruned = definition.custom?.prune(decoded) ?? [];
  unknown.push(...[...metaUnknown, ...pruned].toSorted());
  return decoded;
}

const META = {
  name: 'metadata',
  schema: library.struct('ObjectMeta'),
  required: false,
  pointer: false,
  always: true,
  nullable: false,
  patch: undefined,
  numbers: [],
};

/** A struct of which only the metadata counts. */
const WITH_METADATA: StructSchema = {
  shape: 'struct',
  name: '',
  atomic: false,
  open: true,
  fields: new Map([[META.name, META]]),
};

/** The metadata of a custom resource, decoded as its type. */
export function decodeMeta(object: JsonObject, unknown: string[]): JsonObject {
  const { metadata } = decodeAs(WITH_METADATA, { metadata: object['metadata'] ?? {} }, unknown);
  return (metadata ?? {}) as JsonObject;
}
