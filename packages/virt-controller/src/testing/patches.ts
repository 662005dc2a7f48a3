/** JSON patch and merge patch, as far as the controllers use them. */
import type { JsonPatchOperation } from '@podvisor/kube';
import { deepEqual, StatusError } from '@podvisor/base';

type Json = Record<string, unknown>;

/** add, replace, remove and test on objects (not into lists). */
export function applyJsonPatch(object: unknown, operations: readonly JsonPatchOperation[]): unknown {
  const root = structuredClone(object) as Json;
  for (const operation of operations) {
    const keys = operation.path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    const parent = keys.reduce<Json | undefined>((at, key) => at?.[key] as Json | undefined, root);
    if (parent === undefined) throw new StatusError('Invalid', `no such path: ${operation.path}`);
    switch (operation.op) {
      case 'test':
        if (!deepEqual(parent[last], operation.value)) {
          throw new StatusError('Invalid', `testing value ${operation.path} failed`);
        }
        break;
      case 'replace':
        if (parent[last] === undefined)
          throw new StatusError('Invalid', `replace of a missing key: ${operation.path}`);
        parent[last] = operation.value;
        break;
      case 'add':
        parent[last] = operation.value;
        break;
      case 'remove':
        if (parent[last] === undefined)
          throw new StatusError('Invalid', `remove of a missing key: ${operation.path}`);
        delete parent[last];
        break;
      default:
        throw new StatusError('BadRequest', `${operation.op} is not known here`);
    }
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
