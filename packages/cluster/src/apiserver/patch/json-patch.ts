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
      if (testsForNothing(root.object, operation)) continue;
      const [result] = applyPatch(root.object, [lenient(root.object, operation) as unknown as Operation]);
      if (result !== null) throw failed(operation, String(result));
    }
    return root.object;
  };
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
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
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
