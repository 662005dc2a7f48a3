/**
 * The operations of a JSON patch (RFC 6902), carried out as the library of Kubernetes does: `replace` adds a missing
 * key, `copy` of a missing value adds null, a test for null holds where nothing is, a negative index counts from the
 * end, and what stands before the first slash of a path is ignored. A patch comes from outside: paths lead through
 * own members only, and one patch may neither copy, shift nor nest without measure.
 */
import { deepEqual } from './deep-equal.ts';
import { memberOf, setMember } from './member.ts';

/** One operation, as it was read from JSON: every member may be missing or of any type. */
export interface JsonPatchOperation {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

export const JSON_PATCH_LIMITS = {
  /** The bytes that all copies of one patch may have together, as JSON; kube-apiserver's limit. */
  copiedBytes: 3 * 1024 * 1024,
  /** Items of lists that may move because others come or go before them: about a tenth of a second of work. */
  shiftedItems: 50_000_000,
} as const;

/** How deep documents from outside may be nested; everything that walks them does so by recursion. */
export const MAX_JSON_DEPTH = 1000;

/** An operation does not apply, or goes beyond a limit. */
export class JsonPatchError extends Error {
  /** Which one; undefined when all together went beyond a limit. */
  operation: number | undefined;
}

type Members = Record<string, unknown>;
type Container = Members | unknown[];

/** Applies the operations in order, in place. Throws JsonPatchError; the object is then half changed. */
export function applyJsonPatch(object: object, operations: readonly JsonPatchOperation[]): void {
  const spent = { copiedBytes: 0, shiftedItems: 0 };
  for (const [index, operation] of operations.entries()) {
    try {
      applyOperation(object as Members, operation, spent);
    } catch (error) {
      if (error instanceof JsonPatchError) error.operation = index;
      throw error;
    }
  }
  if (exceedsDepth(object))
    throw new JsonPatchError(`the result is nested more than ${MAX_JSON_DEPTH} levels deep`);
}

interface Spending {
  copiedBytes: number;
  shiftedItems: number;
}

function applyOperation(root: Members, operation: JsonPatchOperation, spent: Spending): void {
  const { op, path, from, value = null } = operation;
  switch (op) {
    case 'add':
      return add(find(root, path), value, spent);
    case 'remove':
      return void remove(find(root, path), spent);
    case 'replace':
      return replace(find(root, path), value);
    case 'move': {
      const moved = remove(find(root, from), spent);
      return add(find(root, path), moved, spent);
    }
    case 'copy': {
      const source = get(find(root, from)) ?? null;
      return add(find(root, path), copyOf(source, spent, 0), spent);
    }
    case 'test': {
      if (deepEqual(get(find(root, path)) ?? null, value)) return;
      throw new JsonPatchError(`testing value ${String(path)} failed`);
    }
    default:
      throw new JsonPatchError(`Unexpected kind: ${typeof op === 'string' ? op : 'unknown'}`);
  }
}

/** Where a path ends: an object or a list, and the last step. */
interface Place {
  readonly container: Container;
  readonly key: string;
  readonly path: string;
}

function find(root: Members, path: unknown): Place {
  const steps = typeof path === 'string' ? path.split('/').slice(1).map(unescape) : [];
  const key = steps.pop();
  if (typeof path !== 'string' || key === undefined) throw new JsonPatchError('the operation has no path');
  let container: Container = root;
  for (const step of steps) {
    const next = get({ container, key: step, path });
    if (!isContainer(next)) throw new JsonPatchError(`doc is missing path: ${path}`);
    container = next;
  }
  return { container, key, path };
}

function unescape(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** An object or a list; a number that is kept as text (JSON.rawJSON) is neither. */
function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null && !Object.isFrozen(value);
}

function get({ container, key, path }: Place): unknown {
  return Array.isArray(container)
    ? container[indexOf(key, container.length, path)]
    : memberOf(container, key);
}

function add({ container, key, path }: Place, value: unknown, spent: Spending): void {
  if (!Array.isArray(container)) return setMember(container, key, value);
  const index = key === '-' ? container.length : indexOf(key, container.length + 1, path);
  shift(container.length - index, spent);
  container.splice(index, 0, value);
}

function remove({ container, key, path }: Place, spent: Spending): unknown {
  if (Array.isArray(container)) {
    const index = indexOf(key, container.length, path);
    shift(container.length - index, spent);
    return container.splice(index, 1)[0];
  }
  const value = memberOf(container, key);
  if (value === undefined) throw new JsonPatchError(`Unable to remove nonexistent key: ${path}`);
  delete container[key];
  return value;
}

function replace({ container, key, path }: Place, value: unknown): void {
  if (Array.isArray(container)) container[indexOf(key, container.length, path)] = value;
  else setMember(container, key, value);
}

/** The index that the step names in a list with room for `length`; counted from the end when negative. */
function indexOf(step: string, length: number, path: string): number {
  const number = /^[+-]?[0-9]+$/.test(step) ? Number(step) : Number.NaN;
  const index = number < 0 ? number + length : number;
  if (index >= 0 && index < length) return index;
  throw new JsonPatchError(`invalid index in ${path}`);
}

function shift(items: number, spent: Spending): void {
  spent.shiftedItems += items;
  if (spent.shiftedItems > JSON_PATCH_LIMITS.shiftedItems)
    throw new JsonPatchError(`the patch moves more than ${JSON_PATCH_LIMITS.shiftedItems} items of lists`);
}

/** A copy, counted in bytes of JSON while it is made: what is too large is never whole. */
function copyOf(value: unknown, spent: Spending, depth: number): unknown {
  if (depth > MAX_JSON_DEPTH)
    throw new JsonPatchError(`the copy is nested more than ${MAX_JSON_DEPTH} levels deep`);
  if (!isContainer(value)) {
    spend(utf8Length(JSON.stringify(value)), spent);
    return value;
  }
  spend(2, spent);
  if (Array.isArray(value)) {
    spend(value.length, spent);
    return value.map((item) => copyOf(item, spent, depth + 1));
  }
  const copy: Members = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    spend(utf8Length(key) + 4, spent);
    setMember(copy, key, copyOf(item, spent, depth + 1));
  }
  return copy;
}

function spend(bytes: number, spent: Spending): void {
  spent.copiedBytes += bytes;
  if (spent.copiedBytes > JSON_PATCH_LIMITS.copiedBytes)
    throw new JsonPatchError(
      `Unable to complete the copy, the accumulated size increase of copy is ${spent.copiedBytes}, exceeding the limit ${JSON_PATCH_LIMITS.copiedBytes}`,
    );
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    // Half a surrogate pair is two of four bytes.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** Whether a value is nested deeper than MAX_JSON_DEPTH. Needs no recursion: the value may not fit onto the stack. */
function exceedsDepth(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_JSON_DEPTH) return true;
    level = level.flatMap((item) => (isContainer(item) ? Object.values(item).filter(isContainer) : []));
  }
  return false;
}
