/** RFC 6902 JSON Patch, with Kubernetes' answers to malformed or inapplicable patches. */
import { StatusError } from '@podvisor/base';
import { applyPatch, type Operation } from 'rfc6902';
import { jsonProblem } from '../wire/go-json.ts';
import { at, isObject, type JsonObject, parseJson } from '../wire/json.ts';
import { badRequest } from '../wire/status.ts';

/** More operations than this in one patch are refused. */
const MAX_OPERATIONS = 10_000;

/** Reads a patch; the result applies it to an object of its own. */
export function jsonPatch(text: string): (object: JsonObject) => JsonObject {
  const operations = parse(text);
  return (object) => {
    const root = { object };
    for (const operation of operations) {
      if (!isWhole(operation)) throw failed(operation, 'MalformedOperation');
      if (testsForNothing(root.object, operation)) continue;
      const indexed = withIndex(root.object, operation);
      if (indexed === undefined) throw failed(operation, 'InvalidIndex');
      const [result] = applyPatch(root.object, [lenient(root.object, indexed) as unknown as Operation]);
      if (result !== null) throw failed(operation, String(result));
    }
    return root.object;
  };
}

/** Names a known operation, and places as text. */
function isWhole({ op, path, from }: JsonObject): boolean {
  return (
    typeof op === 'string' &&
    typeof path === 'string' &&
    (typeof from === 'string' || (op !== 'move' && op !== 'copy'))
  );
}

/** The operation with a plain index into a list: counted from the end when negative; undefined when it is none. */
function withIndex(object: JsonObject, operation: JsonObject): JsonObject | undefined {
  const { op, path } = operation;
  if (typeof path !== 'string') return operation;
  const steps = path.split('/');
  const parent = at(object, ...steps.slice(1, -1).map(unescape));
  const last = steps.at(-1) ?? '';
  if (!Array.isArray(parent) || steps.length < 2) return operation;
  const adds = op === 'add' || op === 'copy' || op === 'move';
  if (last === '-') return adds ? operation : undefined;
  if (!/^-?[0-9]+$/.test(last)) return undefined;
  const length = adds ? parent.length + 1 : parent.length;
  const index = Number(last) < 0 ? Number(last) + length : Number(last);
  if (index < 0 || index >= length) return undefined;
  return { ...operation, path: [...steps.slice(0, -1), String(index)].join('/') };
}

function unescape(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Kubernetes' library lets `replace` add a missing key, copies a missing value as null, and finds null where nothing is. */
function lenient(object: JsonObject, operation: JsonObject): JsonObject {
  const { op, path, from } = operation;
  if (op === 'replace' && typeof path === 'string' && missingKey(object, path))
    return { ...operation, op: 'add' };
  if (op === 'copy' && typeof from === 'string' && missingKey(object, from))
    return { op: 'add', path, value: null };
  return operation;
}

function testsForNothing(object: JsonObject, { op, path, value }: JsonObject): boolean {
  return (
    op === 'test' &&
    (value === null || value === undefined) &&
    typeof path === 'string' &&
    missingKey(object, path)
  );
}

/** True when the parent of the path is an object without the last key. */
function missingKey(object: JsonObject, path: string): boolean {
  const steps = path.split('/').slice(1).map(unescape);
  const parent = at(object, ...steps.slice(0, -1));
  return isObject(parent) && !((steps.at(-1) ?? '') in parent);
}

function parse(text: string): JsonObject[] {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw badRequest(`error decoding patch: ${jsonProblem(text) ?? 'malformed'}`);
  }
  if (!Array.isArray(value))
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${isObject(value) ? 'object' : typeof value} into Go value of type jsonpatch.Patch`,
    );
  if (value.length > MAX_OPERATIONS) {
    throw new StatusError(
      'RequestEntityTooLarge',
      `Request entity is too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${value.length}`,
    );
  }
  return value.map((operation) => (isObject(operation) ? operation : {}));
}

function failed(operation: JsonObject, message: string): StatusError {
  const path = typeof operation['path'] === 'string' ? operation['path'] : '';
  const text = /TestError/.test(message)
    ? `testing value ${path} failed: test failed`
    : `${String(operation['op'])} operation does not apply: doc is missing ${operation['op'] === 'add' ? 'path' : 'key'}: ${path}: missing value`;
  return new StatusError('Invalid', `the server rejected our request due to an error in our request`, {
    details: {},
    cause: new Error(text),
  });
}
