/** A field that is null is a field that is not there: so Go reads it, and so everything below a webhook expects it. */

/** The same value without null fields; the very same one when there are none. Items of lists are left alone. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutNulls);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const fields = Object.entries(value);
  const kept = fields
    .filter(([, field]) => field !== null)
    .map(([key, field]) => [key, withoutNulls(field)] as const);
  const isSame =
    kept.length === fields.length && kept.every(([, field], index) => field === fields[index]?.[1]);
  return isSame ? value : Object.fromEntries(kept);
}
