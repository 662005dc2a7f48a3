/** RFC 6902 JSON Patch, with Kubernetes' answers to malformed or inapplicable patches. */
import { StatusError } from '@podvisor/base';
import { applyPatch, type Operation } from 'rfc6902';
import { jsonProblem } from '../wire/go-json.ts';
import { isObject, type JsonObject, parseJson } from '../wire/json.ts';
import { badRequest } from '../wire/status.ts';

/** More operations than this in one patch are refused. */
const MAX_OPERATIONS = 10_000;

/** Reads a patch; the result applies it to an object of its own. */
export function jsonPatch(text: string): (object: JsonObject) => JsonObject {
  const operations = parse(text);
  return (object) => {
    const results = applyPatch(object, operations as unknown as Operation[]);
    const index = results.findIndex((result) => result !== null);
    if (index >= 0) throw failed(operations[index] ?? {}, String(results[index]));
    return object;
  };
}

function parse(text: string): JsonObject[] {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw badRequest(`error decoding patch: ${jsonProblem(text) ?? 'malformed'}`);
  }
  if (!Array.isArray(value)) throw badRequest(`error decoding patch: json: cannot unmarshal ${isObject(value) ? 'object' : typeof value} into Go value of type jsonpatch.Patch`);
  if (value.length > MAX_OPERATIONS) {
    throw new StatusError('RequestEntityTooLarge', `Request entity is too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${value.length}`);
  }
  return value.map((operation) => (isObject(operation) ? operation : {}));
}

function failed(operation: JsonObject, message: string): StatusError {
  const path = typeof operation['path'] === 'string' ? operation['path'] : '';
  const text = /TestError/.test(message)
    ? `testing value ${path} failed: test failed`
    : `${String(operation['op'])} operation does not apply: doc is missing ${operation['op'] === 'add' ? 'path' : 'key'}: ${path}: missing value`;
  return new StatusError('Invalid', `the server rejected our request due to an error in our request`, { details: {}, cause: new Error(text) });
}
