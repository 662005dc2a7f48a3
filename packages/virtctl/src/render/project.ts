/**
 * What runs, in the shape of what we would make: of a live object only those parts are kept that one of the
 * renderings has, so that what a server or libvirt adds by itself is never shown as a change. Pure.
 */

type Json = unknown;

/** Names an item of a list, so that the same thing is found in another list; undefined: by position. */
export type KeyOf = (item: Readonly<Record<string, Json>>) => string | undefined;

/** Items that count although no rendering has them, e.g. a disk that was plugged in. */
export type Counts = (item: Readonly<Record<string, Json>>) => boolean;

export interface Projection {
  readonly keyOf: KeyOf;
  readonly counts?: Counts;
}

/** `live` with what `shapes` have, in their order. */
export function project(live: Json, shapes: readonly Json[], how: Projection): Json {
  if (Array.isArray(live)) return projectList(live, shapes, how);
  if (!isRecord(live)) return live;
  const records = shapes.filter(isRecord);
  if (records.length === 0) return live;
  const counted = Object.entries(live).filter(
    ([, value]) => Array.isArray(value) && value.some((item) => isRecord(item) && how.counts?.(item)),
  );
  const keys = new Set([...records.flatMap((shape) => Object.keys(shape)), ...counted.map(([key]) => key)]);
  return Object.fromEntries(
    [...keys]
      .filter((key) => live[key] !== undefined)
      .map((key) => [
        key,
        project(
          live[key],
          records.map((shape) => shape[key]).filter((shape) => shape !== undefined),
          how,
        ),
      ]),
  );
}

function projectList(live: readonly Json[], shapes: readonly Json[], how: Projection): readonly Json[] {
  const lists = shapes.filter(Array.isArray);
  const keyed = (list: readonly Json[]): Map<string, Json> =>
    new Map(list.map((item, i) => [isRecord(item) ? (how.keyOf(item) ?? `#${i}`) : `#${i}`, item]));
  const have = keyed(live);
  const wanted = lists.map(keyed);
  const order = new Set([
    ...wanted.flatMap((list) => [...list.keys()]),
    ...[...have].filter(([, item]) => isRecord(item) && how.counts?.(item)).map(([key]) => key),
    // Words, such as those of a command line, are all ours.
    ...[...have].filter(([, item]) => !isRecord(item)).map(([key]) => key),
  ]);
  return [...order].flatMap((key) => {
    const item = have.get(key);
    if (item === undefined) return [];
    const like = wanted.flatMap((list) => (list.has(key) ? [list.get(key)] : []));
    return [project(item, like, how)];
  });
}

function isRecord(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
