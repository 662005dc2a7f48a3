/** Finds where a list in order begins to hold a condition, by halving it. Pure. */

/** The first index whose item `holds`; the length when there is none. Once an item holds, all after it must. */
export function firstIndex<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
