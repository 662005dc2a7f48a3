/** JSON patch with Kubernetes' answers to patches that are malformed, too long or do not apply. */
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation, StatusError } from '@podvisor/base';
import { jsonProblem } from '../wire/go-json.ts';
import { isObject, type JsonObject, parseJson } from '../wire/json.ts';
import { badRequest } from '../wire/status.ts';

/** More operations than this in one patch are refused. */
const MAX_OPERATIONS = 10_000;

/** Reads a patch; the result applies it to an object of its own. */
export function jsonPatch(text: string): (object: JsonObject) => JsonObject {
  const operations = parse(text);
  return (object) => {
    try {
      applyJsonPatch(object, operations);
    } catch (cause) {
      if (!(cause instanceof JsonPatchError)) throw cause;
      // One sentence for all that does not apply; which operation it was is in the cause.
      const message = 'the server rejected our request due to an error in our request';
      throw new StatusError('Invalid', message, { details: {}, cause });
    }
    return object;
  };
}

function parse(text: string): JsonPatchOperation[] {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw badRequest(`error decoding patch: ${jsonProblem(text) ?? 'malformed'}`);
  }
  // As Go reads a list: null is none.
  if (value === null) return [];
  if (!Array.isArray(value)) throw wrongType(value, 'jsonpatch.Patch');
  if (value.length > MAX_OPERATIONS) {
    throw new StatusError(
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${value.length}`,
    );
  }
  return value.map((operation: unknown) => {
    if (operation === null) return {};
    if (!isObject(operation)) throw wrongType(operation, 'jsonpatch.Operation');
    return operation;
  });
}

function wrongType(value: unknown, type: string): StatusError {
  const name = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return badRequest(`error decoding patch: json: cannot unmarshal ${name} into Go value of type ${type}`);
}
