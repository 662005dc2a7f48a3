/** PATCH: JSON patch, merge patch, strategic merge patch and server-side apply. */
import { StatusError } from '@podvisor/base';
import { type VerbContext, warn } from '../core.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch, parseMergePatch } from '../patch/merge-patch.ts';
import { strategicMerge } from '../patch/strategic-merge.ts';
import { decodeAs, DecodeError } from '../registry/decode.ts';
import { invalid, invalidObject } from '../wire/field-errors.ts';
import { duplicateKeys } from '../wire/go-json.ts';
import { cloneJson, type JsonObject, type KubeObject } from '../wire/json.ts';
import { badRequest } from '../wire/status.ts';
import type { Answer } from './answer.ts';
import { apply } from './apply.ts';
import { textOf } from './serialize.ts';
import { type Change, updateObject } from './update.ts';
import { type WriteOptions, writeOptions } from './options.ts';

const TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
];

export async function patch(context: VerbContext): Promise<Answer> {
  const type = (context.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  if (type === 'application/apply-patch+yaml') return apply(context);
  const custom = context.definition.custom !== undefined;
  if (!TYPES.slice(0, 3).includes(type) || (custom && type === TYPES[2])) {
    const accepted = custom ? TYPES.filter((t) => t !== TYPES[2]) : TYPES;
    throw new StatusError(
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${accepted.filter((t) => !t.endsWith('cbor') || true).slice(0, custom ? 3 : 4).join(', ')}`,
    );
  }
  const options = writeOptions(context, 'PatchOptions');
  const text = await context.readBody();
  const patcher = patcherOf(context, type, text);
  const change: Change = {
    kind: 'PatchOptions',
    change: (current) => ({ object: decodePatched(context, options, patcher(current), patcher.given, patcher.duplicates), tracked: false }),
  };
  return { kind: 'object', code: 200, stored: await updateObject(context, options, change) };
}

interface Patcher {
  (current: KubeObject): JsonObject;
  /** The patch in a message of a strict error; undefined shows the patched object. */
  readonly given: string | undefined;
  readonly duplicates: readonly string[];
}

function patcherOf(context: VerbContext, type: string, text: string): Patcher {
  const { definition } = context;
  if (type === 'application/json-patch+json') {
    const apply = jsonPatch(text);
    return Object.assign((current: KubeObject) => apply(cloneJson(current)), { given: undefined, duplicates: [] });
  }
  const given = parseMergePatch(text, type);
  const duplicates = duplicateKeys(text);
  if (type === 'application/merge-patch+json') {
    return Object.assign((current: KubeObject) => mergePatch(current, given) as JsonObject, { given: undefined, duplicates });
  }
  return Object.assign((current: KubeObject) => strategicMerge(definition.schema, current, given), { given: goMap(given), duplicates });
}

/** A decoded patch as Go prints a map. */
function goMap(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goMap).join(' ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `map[${Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => `${key}:${goMap(item)}`).join(' ')}]`;
  }
  return value === null ? '<nil>' : String(value);
}

/** The patched object as its type: unknown fields are dropped and reported. */
function decodePatched(context: VerbContext, options: WriteOptions, patched: JsonObject, given: string | undefined, duplicates: readonly string[]): KubeObject {
  const { definition, info } = context;
  checkIdentity(context, patched);
  const unknown: string[] = [];
  let object: KubeObject;
  const shown = given ?? textOf(definition, patched as KubeObject);
  try {
    object = decode(context, patched, unknown);
  } catch (error) {
    if (error instanceof DecodeError) throw invalidObject('', '', '', [invalid('patch', shown, error.message)]);
    throw error;
  }
  const problems = [...duplicates.map((path) => `duplicate field "${path}"`), ...unknown.map((path) => `unknown field "${path}"`)];
  if (problems.length > 0 && options.fieldValidation === 'Strict') {
    throw invalidObject('', '', '', [invalid('patch', shown, `strict decoding error: ${problems.join(', ')}`)]);
  }
  if (options.fieldValidation === 'Warn') for (const problem of problems) warn(context, problem);
  void info;
  return object;
}

function decode({ definition }: VerbContext, patched: JsonObject, unknown: string[]): KubeObject {
  if (definition.custom === undefined) return decodeAs(definition.schema, patched, unknown) as KubeObject;
  const object = cloneJson(patched) as KubeObject;
  unknown.push(...definition.custom.prune(object));
  return object;
}

function checkIdentity({ info, definition }: VerbContext, patched: JsonObject): void {
  const metadata = patched['metadata'] as JsonObject | undefined;
  const { kind, apiVersion } = definition;
  if (patched['kind'] !== kind || patched['apiVersion'] !== apiVersion) {
    throw badRequest(`the API version in the data (${String(patched['apiVersion'] ?? '')}) does not match the expected API version (${apiVersion})`);
  }
  const name = metadata?.['name'];
  if (name !== undefined && name !== null && name !== '' && name !== info.name) throw badRequest(`the name of the object (${String(name)}) does not match the name on the URL (${info.name})`);
}
