/** JSON patch and merge patch, as far as the controllers use them. */
import type { JsonPatchOperation } from '@podvisor/kube';
import { applyJsonPatch as applyInPlace, JsonPatchError, StatusError } from '@podvisor/base';

type Json = Record<string, unknown>;

/** As the API server applies it: what does not apply is refused as invalid. */
export function applyJsonPatch(object: unknown, operations: readonly JsonPatchOperation[]): unknown {
  const root = structuredClone(object) as Json;
  try {
    applyInPlace(root, operations);
  } catch (error) {
    throw error instanceof JsonPatchError ? new StatusError('Invalid', error.message) : error;
  }
  return root;
}

/** RFC 7386; `strategic` merges lists of conditions by their type. */
export function mergePatch(object: unknown, patch: unknown, strategic: boolean): unknown {
  if (Array.isArray(patch) && strategic) {
    const old = Array.isArray(object) ? (object as Json[]) : [];
    const changed = patch as Json[];
    return [...old.filter((item) => !changed.some((c) => c.type === item.type)), ...changed];
  }
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Json = { ...(object as Json | undefined) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value, strategic);
  }
  return result;
}
