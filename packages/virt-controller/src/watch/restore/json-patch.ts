/** Patches of a restore, applied to a copy. Pure. They are a tenant's own text and change what a tenant may change. */
import { applyJsonPatch, deepEqual, JsonPatchError, type JsonPatchOperation } from '@podvisor/base';

interface Patchable {
  readonly metadata?: { readonly labels?: object; readonly annotations?: object };
  readonly spec?: object;
}

/**
 * Applies patches, each the JSON text of one operation. Throws with the patch that cannot be applied, and when they
 * change more than labels, annotations and the spec: the object is written with our rights, not with the tenant's.
 */
export function patchObject<T extends Patchable>(object: T, patches: readonly string[]): T {
  const copy = structuredClone(object);
  try {
    applyJsonPatch(copy, patches.map(operationOf));
  } catch (cause) {
    if (!(cause instanceof JsonPatchError)) throw cause;
    const patch = patches[cause.operation ?? -1];
    throw new Error(`${patch === undefined ? 'the patches' : `patch ${patch}`} cannot be applied`, { cause });
  }
  if (!deepEqual(guarded(copy), guarded(object)))
    throw new Error('patches may change labels, annotations and the spec only');
  return copy;
}

function guarded(object: Patchable): object {
  const { spec: _spec, metadata, ...rest } = object;
  const { labels: _labels, annotations: _annotations, ...identity } = metadata ?? {};
  return { ...rest, metadata: identity };
}

function operationOf(text: string): JsonPatchOperation {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`patch ${text} is not an operation`);
}
