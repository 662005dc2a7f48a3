/**
 * Keeps `metadata.managedFields`: an update or patch takes what it changed from whoever owned it; an apply
 * owns exactly what it says, conflicts with others unless forced, and removes what it no longer says and
 * nobody else owns.
 */
import { deepEqual, type StatusCause, StatusError } from '@podvisor/base';
import type { Schema } from '../registry/schema.ts';
import type { JsonObject, KubeObject } from '../wire/json.ts';
import {
  type Manager,
  type ManagerId,
  managerKey,
  type Managers,
  readManagers,
  UNOWNED,
  writeManagers,
} from './managers.ts';
import { typedProblem } from './check-typed.ts';
import { appliedBefore, withLastApplied } from './last-applied.ts';
import { PathSet, pathText } from './path-set.ts';
import { compareTyped, fieldSetOf, isSame, mergeTyped, removePaths } from './typed.ts';

/** Update managers beyond this many are folded into one. */
const MAX_UPDATE_MANAGERS = 10;
const ANCIENT = 'ancient-changes';

export interface ManagedContext {
  readonly schema: Schema;
  /** What an object of the kind looks like when nothing was given, for the first comparison. */
  readonly emptyObject: JsonObject;
  /** Paths the strategy resets on this endpoint: nobody gets to own them here. */
  readonly reset: PathSet;
  readonly time: string;
  /** The type in another version of the resource; undefined when that version is gone. Absent: one version. */
  readonly otherVersion?: (apiVersion: string) => Schema | undefined;
}

/** The object after a create, update or patch by `id`, with its managed fields brought up to date. */
export function trackUpdate(
  context: ManagedContext,
  live: KubeObject | undefined,
  object: KubeObject,
  id: ManagerId,
): KubeObject {
  const given = object.metadata.managedFields;
  // An explicit empty list clears the history; otherwise what the client sends back is what was there.
  if (given !== undefined && live !== undefined && isReset(given))
    return { ...object, metadata: withoutManaged(object) };
  const managers = readOr(object, live);
  // Once an object has no history, updates do not start one again; only an apply does.
  if (live !== undefined && managers.size === 0) return { ...object, metadata: withoutManaged(object) };
  const before: JsonObject = live === undefined ? context.emptyObject : withoutManagedFields(live);
  if (!readableByOthers(context, managers, id.apiVersion, [before, object]))
    return { ...object, metadata: withoutManaged(object) };
  const comparison = compareTyped(context.schema, before, withoutManagedFields(object));
  const taken = comparison.added
    .union(comparison.modified)
    .difference(UNOWNED)
    .recursiveDifference(context.reset);
  const gone = comparison.removed.difference(UNOWNED);
  const next = takeFrom(managers, comparison.added.union(comparison.modified), comparison.removed);
  if (!taken.empty) {
    const key = managerKey(id);
    const own = next.get(key)?.set ?? new PathSet();
    next.set(key, { ...id, set: own.union(taken).difference(gone), time: context.time });
  }
  capManagers(next, context.time);
  return withManagers(object, next);
}

/**
 * Drops managers of versions that are gone. False when the object does not fit the type of another manager's version:
 * what that manager owns cannot be told any more, so that the whole history goes.
 */
function readableByOthers(
  { otherVersion }: ManagedContext,
  managers: Managers,
  own: string,
  objects: readonly JsonObject[],
): boolean {
  if (otherVersion === undefined) return true;
  for (const [key, { apiVersion }] of managers) {
    if (apiVersion === own) continue;
    const schema = otherVersion(apiVersion);
    if (schema === undefined) managers.delete(key);
    else if (objects.some((object) => typedProblem(schema, object, '') !== undefined)) return false;
  }
  return true;
}

function isReset(given: KubeObject['metadata']['managedFields']): boolean {
  return (
    given !== undefined &&
    (given.length === 0 || (given.length === 1 && Object.keys(given[0] ?? {}).length === 0))
  );
}

function readOr(object: KubeObject, live: KubeObject | undefined): Managers {
  try {
    if (object.metadata.managedFields !== undefined) return readManagers(object.metadata);
  } catch {
    // Malformed entries of a client are ignored; the stored ones are used.
  }
  return live === undefined ? new Map() : readManagers(live.metadata);
}

/** Takes `changed` and `removed` away from every manager. */
function takeFrom(managers: Managers, changed: PathSet, removed: PathSet): Managers {
  const next: Managers = new Map();
  for (const [key, manager] of managers) {
    const set = manager.set.difference(changed).difference(removed);
    if (!set.empty) next.set(key, { ...manager, set });
  }
  return next;
}

function capManagers(managers: Managers, time: string): void {
  const updates = [...managers].filter(([, m]) => m.operation === 'Update' && m.subresource === '');
  if (updates.length <= MAX_UPDATE_MANAGERS) return;
  const oldest = updates
    .toSorted(([, a], [, b]) => ((a.time ?? '') < (b.time ?? '') ? -1 : 1))
    .slice(0, updates.length - MAX_UPDATE_MANAGERS + 1);
  for (const [key, manager] of oldest) {
    managers.delete(key);
    const id: ManagerId = {
      manager: ANCIENT,
      operation: 'Update',
      apiVersion: manager.apiVersion,
      subresource: '',
    };
    const bucket = managers.get(managerKey(id));
    managers.set(managerKey(id), {
      ...id,
      set: (bucket?.set ?? new PathSet()).union(manager.set),
      time: manager.time ?? time,
    });
  }
}

/** What an apply makes of the object; undefined when it changes nothing. */
export interface Applied {
  readonly object: KubeObject;
  readonly changed: boolean;
}

/** Applies `config` onto `live` for `id`. Throws 409 with the conflicts unless `force`. */
export function applyConfig(
  context: ManagedContext,
  live: KubeObject | undefined,
  config: KubeObject,
  id: ManagerId,
  force: boolean,
): Applied {
  const before =
    live ??
    ({
      metadata: {},
      ...context.emptyObject,
      apiVersion: config.apiVersion,
      kind: config.kind,
    } as KubeObject);
  const managers = live === undefined ? new Map<string, Manager>() : startManagers(context, live);
  const key = managerKey(id);
  const last = managers.get(key)?.set;
  const liveBare = withoutManagedFields(before);
  const set = fieldSetOf(context.schema, withoutManagedFields(config))
    .difference(UNOWNED)
    .recursiveDifference(context.reset);
  let merged = mergeTyped(context.schema, liveBare, withoutManagedFields(config)) as JsonObject;
  const lastTime = managers.get(key)?.time;
  managers.set(key, { ...id, set, time: context.time });
  if (last !== undefined && !last.empty) {
    let owned = new PathSet();
    for (const manager of managers.values()) owned = owned.union(manager.set);
    merged = removePaths(context.schema, merged, abandoned(last, owned));
  }
  const comparison = compareTyped(context.schema, liveBare, merged);
  const changed = comparison.added.union(comparison.modified).difference(UNOWNED);
  if (!force) {
    const own = appliedBefore(context.schema, live, config, id.manager);
    const conflicts = findConflicts(managers, key, changed).filter(({ path }) => !own.has(path));
    if (conflicts.length > 0) throw conflictError(conflicts);
  }
  const next: Managers = new Map();
  for (const [otherKey, manager] of managers) {
    const rest =
      otherKey === key ? manager.set : manager.set.difference(changed).difference(comparison.removed);
    // An apply that changes nothing in the object does not move its own time.
    const time = otherKey === key && isSame(comparison) ? lastTime : manager.time;
    if (!rest.empty) next.set(otherKey, { ...manager, set: rest, time });
  }
  const unchanged =
    live !== undefined &&
    isSame(comparison) &&
    last !== undefined &&
    sameManagers(next, readManagers(live.metadata));
  const result = withManagers({ ...merged, metadata: merged['metadata'] ?? {} } as KubeObject, next);
  const object = withLastApplied(unchanged ? live : result, config, id.manager);
  return { object, changed: !unchanged || !deepEqual(object, live) };
}

/** Members of `last` that nobody owns any more; a container goes only when nothing below it is owned. */
function abandoned(last: PathSet, owned: PathSet): PathSet {
  const out = new PathSet();
  for (const step of last.members) {
    const below = owned.children.get(step);
    if (!owned.members.has(step) && (below === undefined || below.empty)) out.members.add(step);
  }
  for (const [step, child] of last.children) {
    const rest = abandoned(child, owned.children.get(step) ?? new PathSet());
    if (!rest.empty) out.children.set(step, rest);
  }
  return out;
}

/** Objects from before managed fields: their fields belong to `before-first-apply`. */
function startManagers(context: ManagedContext, live: KubeObject): Managers {
  const managers = readManagers(live.metadata);
  if (managers.size > 0) return managers;
  const set = fieldSetOf(context.schema, withoutManagedFields(live)).difference(UNOWNED);
  const id: ManagerId = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion: live.apiVersion,
    subresource: '',
  };
  return new Map(set.empty ? [] : [[managerKey(id), { ...id, set, time: context.time }]]);
}

function sameManagers(a: Managers, b: Managers): boolean {
  if (a.size !== b.size) return false;
  for (const [key, manager] of a) {
    const other = b.get(key);
    if (other === undefined || !manager.set.equals(other.set) || manager.apiVersion !== other.apiVersion)
      return false;
  }
  return true;
}

interface Conflict {
  readonly manager: Manager;
  readonly path: readonly string[];
}

function findConflicts(managers: Managers, self: string, changed: PathSet): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [key, manager] of managers) {
    if (key === self) continue;
    for (const path of manager.set.intersection(changed).paths()) conflicts.push({ manager, path });
  }
  return conflicts;
}

function who({ manager, operation, subresource, apiVersion }: Manager): string {
  const detail = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `"${manager}"${subresource === '' ? '' : ` with subresource "${subresource}"`}${detail}`;
}

function conflictError(conflicts: readonly Conflict[]): StatusError {
  const causes: StatusCause[] = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${who(manager)}`,
    field: pathText(path),
  }));
  // There may be as many as a body has fields: each is looked at once.
  const groups = Map.groupBy(causes, ({ message = '' }) => message);
  const parts = [...groups].map(([message, [first, ...others]]) =>
    others.length === 0
      ? `${message}: ${first?.field}`
      : `${message.replace(/^conflict/, 'conflicts')}:\n- ${[first, ...others].map((cause) => cause?.field).join('\n- ')}`,
  );
  const message = `Apply failed with ${conflicts.length} conflict${conflicts.length === 1 ? '' : 's'}: ${parts.length === 1 ? parts[0] : parts.join('\n')}`;
  return new StatusError('Conflict', message, { details: { causes } });
}

function withManagers(object: KubeObject, managers: Managers): KubeObject {
  const entries = writeManagers(managers);
  const metadata = withoutManaged(object);
  return { ...object, metadata: entries.length === 0 ? metadata : { ...metadata, managedFields: entries } };
}

function withoutManaged(object: KubeObject): KubeObject['metadata'] {
  const { managedFields: _, ...metadata } = object.metadata;
  return metadata;
}

function withoutManagedFields(object: KubeObject): KubeObject {
  return object.metadata.managedFields === undefined
    ? object
    : { ...object, metadata: withoutManaged(object) };
}
