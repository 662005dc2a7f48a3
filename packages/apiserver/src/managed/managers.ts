/** The managers of an object: who owns which fields, read from and written to `metadata.managedFields`. */
import type { ManagedFieldsEntry, ObjectMeta } from '../wire/json.ts';
import { fromFieldsV1, PathSet, toFieldsV1 } from './path-set.ts';

/** Who did it: a manager's entries are told apart by operation, version and subresource. */
export interface ManagerId {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

export interface Manager extends ManagerId {
  readonly set: PathSet;
  readonly time: string | undefined;
}

/** Managers by identity. */
export type Managers = Map<string, Manager>;

export function managerKey({ manager, operation, apiVersion, subresource }: ManagerId): string {
  // An applier is one manager in all versions; the entry's version is the one last applied in.
  return operation === 'Apply'
    ? `${manager}|Apply||${subresource}`
    : `${manager}|${operation}|${apiVersion}|${subresource}`;
}

/** Reads the entries; throws on malformed ones. */
export function readManagers(metadata: ObjectMeta): Managers {
  const managers: Managers = new Map();
  for (const entry of metadata.managedFields ?? []) {
    const id: ManagerId = {
      manager: entry.manager ?? '',
      operation: entry.operation === 'Apply' ? 'Apply' : 'Update',
      apiVersion: entry.apiVersion ?? '',
      subresource: entry.subresource ?? '',
    };
    managers.set(managerKey(id), { ...id, set: fromFieldsV1(entry.fieldsV1 ?? {}), time: entry.time });
  }
  return managers;
}

/** Writes the entries: appliers before updaters, then by time, then by name. */
export function writeManagers(managers: Managers): ManagedFieldsEntry[] {
  const rank = (m: Manager): string =>
    `${m.operation}|${m.time ?? ''}|${m.manager}|${m.apiVersion}|${m.subresource}`;
  return [...managers.values()]
    .filter((manager) => !manager.set.empty)
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .map((manager) => ({
      manager: manager.manager,
      operation: manager.operation,
      apiVersion: manager.apiVersion,
      ...(manager.time === undefined ? {} : { time: manager.time }),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(manager.set),
      ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
    }));
}

/** Fields that nobody owns: identity and what the server itself writes. */
export const UNOWNED: PathSet = pathSet([
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((field) => ['metadata', field]),
]);

/** A set of plain field paths. */
export function pathSet(paths: readonly (readonly string[])[]): PathSet {
  const set = new PathSet();
  for (const path of paths) set.insert(path.map((step) => `f:${step}`));
  return set;
}
