/** `spec.customizeComponents.patches`: what an administrator changes about installed objects. Pure. */
import type { CustomizeComponentsPatch } from '@podvisor/api';
import { applyJsonPatch, type JsonPatchOperation, memberOf, messageOf } from '@podvisor/base';
import type { Manifest } from './manifest.ts';

/** The patch cannot be used; the message names it. */
export class CustomizeError extends Error {
  override readonly name = 'CustomizeError';
}

export function customized(
  objects: readonly Manifest[],
  patches: readonly CustomizeComponentsPatch[] = [],
): Manifest[] {
  return objects.map((object) =>
    patches
      .filter(({ resourceName, resourceType }) => isMeant(object, resourceName, resourceType))
      .reduce(patched, object),
  );
}

/** KubeVirt takes the kind (`Deployment`) and also its plural. `*` is every name. */
function isMeant(object: Manifest, name: string, type: string): boolean {
  const kind = (object.kind ?? '').toLowerCase();
  const meant = type.toLowerCase();
  return (meant === kind || meant === `${kind}s`) && (name === '*' || name === object.metadata?.name);
}

function patched(object: Manifest, patch: CustomizeComponentsPatch): Manifest {
  try {
    const copy = structuredClone(object);
    const body: unknown = JSON.parse(patch.patch);
    switch (patch.type) {
      case 'json':
        applyJsonPatch(copy, body as readonly JsonPatchOperation[]);
        return copy;
      case 'merge':
        return merged(copy, body, false) as Manifest;
      case 'strategic':
        return merged(copy, body, true) as Manifest;
      default:
        throw new Error(`type "${patch.type}" is none of json, merge and strategic`);
    }
  } catch (error) {
    throw new CustomizeError(
      `spec.customizeComponents.patches: the patch of ${patch.resourceType} ${patch.resourceName} cannot be applied: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists of objects that Kubernetes merges by one of their fields. */
const MERGE_KEYS = ['name', 'mountPath', 'containerPort', 'key', 'uid', 'topologyKey', 'ip'];

/** A merge patch (RFC 7396); with `byKey` lists of named things are merged by their names. */
function merged(target: unknown, patch: unknown, byKey: boolean): unknown {
  if (byKey && Array.isArray(patch) && Array.isArray(target)) return mergedLists(target, patch);
  if (!isFields(patch)) return patch;
  const result: Fields = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(memberOf(result, key), value, byKey);
  }
  return result;
}

function mergedLists(target: readonly unknown[], patch: readonly unknown[]): unknown[] {
  const key = MERGE_KEYS.find((name) => patch.every((item) => isFields(item) && name in item));
  if (key === undefined) return [...patch];
  const result = [...target];
  for (const item of patch as readonly Fields[]) {
    const at = result.findIndex((old) => isFields(old) && old[key] === item[key]);
    const isDelete = item['$patch'] === 'delete';
    if (isDelete && at >= 0) result.splice(at, 1);
    else if (!isDelete && at >= 0) result[at] = merged(result[at], item, true);
    else if (!isDelete) result.push(item);
  }
  return result;
}
