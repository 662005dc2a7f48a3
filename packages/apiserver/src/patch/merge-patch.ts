/** RFC 7386 merge patch. The target is not changed; what the patch does not touch is shared with it. */
import { memberOf, setMember } from '@podvisor/base';
import { isObject, type Json, type JsonObject, parseJson } from '../wire/json.ts';
import { jsonProblem } from '../wire/go-json.ts';
import { badRequest } from '../wire/status.ts';

/** Reads the text of a merge or strategic merge patch: it must be an object. */
export function parseMergePatch(text: string, type: string): JsonObject {
  const strategic = type === 'application/strategic-merge-patch+json';
  const prefix = strategic ? '' : 'error decoding patch: ';
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    throw badRequest(`${prefix}${jsonProblem(text) ?? 'malformed'}`);
  }
  if (value === null) {
    if (strategic) return {};
    throw badRequest('Invalid JSON Patch');
  }
  if (!isObject(value)) {
    throw badRequest(
      `${prefix}json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
    );
  }
  return value;
}

export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const out: JsonObject = isObject(target) ? { ...target } : {};
  for (const key in patch) {
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) delete out[key];
    else setMember(out, key, mergePatch(memberOf(out, key), value));
  }
  return out;
}
