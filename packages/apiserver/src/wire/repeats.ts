/** Which entries of a list have been there before, for lists that are as long as their sender likes. Pure. */

/** Places of those that repeat an earlier one; in time that grows with the number of entries. */
export function repeats(values: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const places = new Set<number>();
  for (const [i, value] of values.entries()) {
    if (seen.has(value)) places.add(i);
    seen.add(value);
  }
  return places;
}
