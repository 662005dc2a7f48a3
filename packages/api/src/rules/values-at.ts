/** All values at a path of an object; lists on the way are looked through. */
export function valuesAt(value: unknown, keys: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, keys));
  const [key, ...rest] = keys;
  if (key === undefined) return value === undefined || value === null ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return valuesAt((value as Readonly<Record<string, unknown>>)[key], rest);
}
