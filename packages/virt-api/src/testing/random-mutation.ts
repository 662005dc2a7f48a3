/** Random changes of an object: what a user's typing errors, and worse, look like. Repeatable from a seed. */

type Json = unknown;

const SCALARS: readonly Json[] = [
  null,
  '',
  'x',
  'default',
  '-1',
  '1Gi',
  '3Mi',
  '500m',
  'ALWAYS',
  '!*',
  'a/b/c',
  '02:00:00:00:00:00',
  '0',
  0,
  1,
  -1,
  70_000,
  1.5,
  true,
  false,
  {},
  [],
];

/** A copy of the object with one to four changes: a value replaced, a field removed, added, or a list item doubled. */
export function mutated<T>(object: T, random: () => number, fields: readonly string[]): T {
  const copy = structuredClone(object);
  const count = 1 + Math.floor(random() * 4);
  for (let i = 0; i < count; i += 1) mutateOnce(copy, random, fields);
  return copy;
}

function mutateOnce(root: Json, random: () => number, fields: readonly string[]): void {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const parents = containersOf(root);
  const parent = pick(parents);
  if (Array.isArray(parent)) {
    const index = Math.floor(random() * (parent.length + 1));
    if (random() < 0.3 && parent.length > 0) parent.push(structuredClone(parent[0]));
    else if (random() < 0.3) parent.splice(index, 1);
    else parent[index] = structuredClone(pick(SCALARS));
    return;
  }
  if (parent === undefined) return;
  const key = random() < 0.3 ? pick(fields) : pick(Object.keys(parent));
  if (key === undefined || key === 'kind' || key === 'apiVersion') return;
  if (random() < 0.25) delete parent[key];
  else parent[key] = structuredClone(pick(SCALARS));
}

type Container = Record<string, Json> | Json[];

function containersOf(value: Json): Container[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = value as Container;
  return [own, ...Object.values(own).flatMap(containersOf)];
}
