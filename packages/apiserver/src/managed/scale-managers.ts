/**
 * Managed fields between an object and its Scale. The Scale shows who owns the number of replicas; a write to the
 * Scale takes that field, and nothing else, from its owners in the object.
 */
import type { ObjectMeta } from '../wire/json.ts';
import { pathSet, readManagers, writeManagers, managerKey, type Manager, type Managers } from './managers.ts';

const SCALE_VERSION = 'autoscaling/v1';
const IN_SCALE = pathSet([['spec', 'replicas']]);

/** Path of the replicas by apiVersion of the object; undefined for a version without scale. */
export type ReplicaPaths = ReadonlyMap<string, readonly string[] | undefined>;

/** Managed fields of the Scale of an object. */
export function managersOfScale(metadata: ObjectMeta, paths: ReplicaPaths): ObjectMeta['managedFields'] {
  const owners: Managers = new Map();
  for (const manager of readManagers(metadata).values()) {
    if (!ownsReplicas(manager, paths)) continue;
    const shown: Manager = { ...manager, apiVersion: SCALE_VERSION, set: IN_SCALE };
    owners.set(managerKey(shown), shown);
  }
  return owners.size === 0 ? undefined : writeManagers(owners);
}

/**
 * Managed fields of the object after a write to its Scale. An update manager appears without a time: that is how
 * Kubernetes records it.
 */
export function managersAfterScale(
  parent: ObjectMeta,
  scale: ObjectMeta,
  paths: ReplicaPaths,
  apiVersion: string,
): ObjectMeta['managedFields'] {
  const scaled = readManagers(scale);
  const next: Managers = new Map();
  for (const [key, manager] of readManagers(parent)) {
    if (!paths.has(manager.apiVersion)) continue;
    if (!ownsReplicas(manager, paths) || scaled.delete(key)) {
      next.set(key, manager);
      continue;
    }
    const lost = pathSet([paths.get(manager.apiVersion) ?? []]);
    next.set(key, { ...manager, set: manager.set.difference(lost) });
  }
  const own = pathSet([paths.get(apiVersion) ?? []]);
  for (const manager of scaled.values()) {
    if (manager.set.intersection(IN_SCALE).empty) continue;
    const entry: Manager = { ...manager, apiVersion, set: own, time: undefined };
    next.set(managerKey(entry), entry);
  }
  const entries = writeManagers(next);
  return entries.length === 0 ? undefined : entries;
}

function ownsReplicas(manager: Manager, paths: ReplicaPaths): boolean {
  const path = paths.get(manager.apiVersion);
  return path !== undefined && !manager.set.intersection(pathSet([path])).empty;
}
