/**
 * JSON patches that hold only while the values they replace are what was seen. Every change of one field is made
 * with `guardedChange`, so nobody forgets the test, in particular not where nothing was seen: a test for null holds
 * exactly where the path leads to nothing (RFC 6902 as Kubernetes implements it).
 */
import type { KubernetesObject } from '@podvisor/api';
import { deepEqual, isStatus, StatusError } from '@podvisor/base';
import type { KubeClient } from '../client/client.ts';
import type { JsonPatchOperation } from '../client/client-options.ts';
import type { ObjectKey, Resource } from '../client/resource.ts';

/** Holds while `path` has the value that was seen; undefined: while nothing is there. Its parent must exist. */
export function stillHas(path: string, seen: unknown): JsonPatchOperation {
  return { op: 'test', path, value: seen ?? null };
}

/** Puts `next` where `seen` was; undefined means "nothing" for both. Nothing to nothing is no operation. */
export function guardedChange(path: string, seen: unknown, next: unknown): readonly JsonPatchOperation[] {
  if (next !== undefined) return [stillHas(path, seen), { op: 'add', path, value: next }];
  return seen === undefined ? [] : [stillHas(path, seen), { op: 'remove', path }];
}

/** The same for a list, where an absent one is as good as an empty one: equal lists are no operation. */
export function guardedListChange(
  path: string,
  seen: readonly unknown[] | undefined,
  next: readonly unknown[],
): readonly JsonPatchOperation[] {
  return deepEqual(seen ?? [], next) ? [] : guardedChange(path, seen, next);
}

/** The JSON pointer to one entry of a map, such as a label whose name contains a slash. */
export function entryPath(map: string, name: string): string {
  return `${map}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Sends the patch; the object as it is then. The API server answers a failed `test` with "invalid"; it means that another writer was faster, so
 * a Conflict is thrown, and the next pass sees the newer object.
 */
export async function patchGuarded<T extends KubernetesObject>(
  client: Pick<KubeClient, 'patch'>,
  resource: Resource<T>,
  key: ObjectKey,
  body: readonly JsonPatchOperation[],
  signal: AbortSignal,
  subresource?: string,
): Promise<T> {
  try {
    return await client.patch(resource, key, { type: 'json', body, subresource }, signal);
  } catch (error) {
    if (!isStatus(error, 'Invalid') || !body.some(({ op }) => op === 'test')) throw error;
    throw new StatusError('Conflict', error.message, { cause: error });
  }
}
