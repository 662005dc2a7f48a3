/** A decoded JSON value as Go prints a map: `map[a:1 b:[x y]]`. */
export function goMap(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goMap).join(' ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, item]) => `${key}:${goMap(item)}`).join(' ')}]`;
  }
  return value === null || value === undefined ? '<nil>' : String(value);
}
