/** PATCH: JSON patch, merge patch, strategic merge patch and server-side apply. */
import { deepEqual, StatusError, memberOf } from '@podvisor/base';
import { type VerbContext, warn } from '../core.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch, parseMergePatch } from '../patch/merge-patch.ts';
import { strategicMerge } from '../patch/strategic-merge.ts';
import { builtinType } from '../registry/builtin-type.ts';
import { decodeAs, DecodeError } from '../registry/decode.ts';
import { invalid, invalidObject } from '../wire/field-errors.ts';
import { duplicateKeys } from '../wire/go-json.ts';
import { goMap } from '../wire/go-map.ts';
import { cloneJson, isObject, type Json, type JsonObject, type KubeObject } from '../wire/json.ts';
import { badRequest } from '../wire/status.ts';
import type { Answer } from './answer.ts';
import { apply } from './apply.ts';
import { decodeMeta, keepCleared } from './decode-body.ts';
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
  checkPatchType(type, custom);
  const options = writeOptions(context, 'PatchOptions');
  const text = await context.readBody();
  let patcher: Patcher | undefined;
  const change: Change = {
    kind: 'PatchOptions',
    change: (current) => {
      // Read when there is something to patch: an object that is missing is the first thing to say.
      patcher ??= patcherOf(context, type, text);
      const object = decodePatched(context, options, current, patcher(current), patcher);
      return { object, tracked: false };
    },
  };
  return { kind: 'object', code: 200, stored: await updateObject(context, options, change) };
}

/** Reads a patch that is no apply. `custom`: the resource knows no strategic merge. */
export function readPatch(context: VerbContext, custom: boolean, text: string): Patcher {
  const type = (context.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  checkPatchType(type, custom);
  return patcherOf(context, type, text);
}

function checkPatchType(type: string, custom: boolean): void {
  if (!TYPES.slice(0, 3).includes(type))
    throw new StatusError('UnsupportedMediaType', '415: Unsupported Media Type', { details: {} });
  if (custom && type === TYPES[2]) throw unsupportedPatch();
}

/** Custom resources have no strategic merge. */
function unsupportedPatch(): StatusError {
  return new StatusError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${[TYPES[0], TYPES[1], TYPES[3]].join(', ')}`,
  );
}

export interface Patcher {
  (current: KubeObject): JsonObject;
  /** The patch in a message of a strict error; undefined shows the patched object. */
  readonly given: string | undefined;
  readonly duplicates: readonly string[];
}

function patcherOf(context: VerbContext, type: string, text: string): Patcher {
  const { definition } = context;
  if (type === 'application/json-patch+json') {
    const apply = jsonPatch(text);
    return Object.assign((current: KubeObject) => apply(cloneJson(current)), {
      given: undefined,
      duplicates: [],
    });
  }
  const given = parseMergePatch(text, type);
  const duplicates = duplicateKeys(text, given);
  if (type === 'application/merge-patch+json') {
    return Object.assign((current: KubeObject) => mergePatch(current, given) as JsonObject, {
      given: undefined,
      duplicates,
    });
  }
  return Object.assign((current: KubeObject) => strategicMerge(definition.schema, current, given), {
    given: goMap(given),
    duplicates,
  });
}

/** The patched object as its type: unknown fields are dropped and reported. */
export function decodePatched(
  context: VerbContext,
  options: WriteOptions,
  current: KubeObject,
  result: JsonObject,
  patcher: Patcher,
): KubeObject {
  const { definition } = context;
  // A strategic merge is read into the object's own type, whatever the patch calls it.
  const own = { apiVersion: definition.apiVersion, kind: definition.kind };
  const isStrategic = patcher.given !== undefined && Object.keys(result).length > 0;
  const patched: JsonObject = isStrategic ? { ...result, ...own } : result;
  const unknown: string[] = [];
  let object: KubeObject;
  const refuse = (why: string): never => {
    const shown = patcher.given ?? touchedText(patched, current);
    throw invalidObject('', '', '', [invalid('patch', shown, why)]);
  };
  if (Object.keys(patched).length === 0)
    throw badRequest(
      `the name of the object (${context.info.name} based on URL) was undeterminable: name must be provided`,
    );
  if (patched['apiVersion'] !== definition.apiVersion || patched['kind'] !== definition.kind) {
    const scheme = definition.custom === undefined ? ` in scheme "pkg/api/legacyscheme/scheme.go:30"` : '';
    const other = builtinType(String(patched['apiVersion']), String(patched['kind']));
    if (other !== undefined) {
      // It is read as what it says it is before anybody sees that it is the wrong kind.
      try {
        decodeAs(other, patched, []);
      } catch (error) {
        if (error instanceof DecodeError) refuse(error.message);
        throw error;
      }
    }
    if (definition.custom === undefined)
      refuse(
        `no kind "${String(patched['kind'])}" is registered for version "${String(patched['apiVersion'])}"${scheme}`,
      );
    throw badRequest(
      `the API version in the data (${String(patched['apiVersion'])}) does not match the expected API version (${definition.apiVersion})`,
    );
  }
  try {
    object = decode(context, patched, unknown);
  } catch (error) {
    if (error instanceof DecodeError)
      return refuse(patcher.given === undefined ? error.message : error.conversion);
    throw error;
  }
  keepCleared(patched, object);
  checkNames(context, object);
  const problems = [
    ...patcher.duplicates.map((path) => `duplicate field "${path}"`),
    ...unknown.map((path) => `unknown field "${path}"`),
  ];
  if (problems.length > 0 && options.fieldValidation === 'Strict')
    refuse(`strict decoding error: ${problems.join(', ')}`);
  if (options.fieldValidation === 'Warn') for (const problem of problems) warn(context, problem);
  return object;
}

/** The patched object in a message: what the patch touched has sorted keys, the rest is as it was. */
function touchedText(patched: Json | undefined, current: Json | undefined): string {
  if (!isObject(patched) || !isObject(current) || deepEqual(patched, current)) return JSON.stringify(patched);
  const keys = Object.keys(patched)
    .filter((key) => patched[key] !== undefined)
    .toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${touchedText(patched[key], memberOf(current, key))}`).join(',')}}`;
}

function decode({ definition }: VerbContext, patched: JsonObject, unknown: string[]): KubeObject {
  if (definition.custom === undefined) return decodeAs(definition.schema, patched, unknown) as KubeObject;
  const object = { ...cloneJson(patched), metadata: decodeMeta(patched, unknown) } as KubeObject;
  unknown.push(...definition.custom.prune(object));
  return object;
}

function checkNames({ info, definition }: VerbContext, { metadata }: KubeObject): void {
  const name = metadata.name ?? '';
  if (name === '')
    throw badRequest(
      `the name of the object (${info.name} based on URL) was undeterminable: name must be provided`,
    );
  if (name !== info.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
  if (definition.namespaced && (metadata.namespace ?? '') !== '' && metadata.namespace !== info.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}
