/**
 * The JSON patch that turns one object into another. Lists that differ are replaced whole: defaults fill
 * lists in place, and a short patch is not worth a search for the smallest one.
 */
import { deepEqual, isRecord } from '@podvisor/base';
import type { JsonPatchOperation } from '@podvisor/kube';

type JsonObject = Readonly<Record<string, unknown>>;

/** RFC 6901: `~` and `/` are escaped. */
function escape(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Own keys only: a label may be called `constructor`. */
function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function diff(from: unknown, to: unknown, path = ''): readonly JsonPatchOperation[] {
  if (!isRecord(from) || !isRecord(to))
    return deepEqual(from, to) ? [] : [{ op: 'replace', path, value: to }];
  const operations: JsonPatchOperation[] = [];
  for (const key of Object.keys(from)) {
    const gone = own(to, key) === undefined && from[key] !== undefined;
    if (gone) operations.push({ op: 'remove', path: `${path}/${escape(key)}` });
  }
  for (const [key, value] of Object.entries(to)) {
    if (value === undefined) continue;
    const at = `${path}/${escape(key)}`;
    const before = own(from, key);
    if (before === undefined) operations.push({ op: 'add', path: at, value });
    else operations.push(...diff(before, value, at));
  }
  return operations;
}
