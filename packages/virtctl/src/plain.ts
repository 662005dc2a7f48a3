/** Reading data whose type nobody vouches for (YAML files, answers of other people's APIs): one place, no surprises. */

export type Plain = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one when it is something else. */
export function plainOf(value: unknown): Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : {};
}

/** The value as a list; an empty one when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A string that says something, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value at a path of keys, e.g. `at(vm, 'spec', 'template')`. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => plainOf(inner)[key], value);
}

/** The object without the keys whose value is undefined, at every depth. */
export function present<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** The wanted name if it is among `known`, the first of them when none is wanted. */
export function nameIn(wanted: string | undefined, known: readonly string[]): string {
  if (wanted === undefined) return known[0] ?? '';
  if (!known.includes(wanted))
    throw new Error(`could not find secret ${wanted} in the list of secrets: ${known.join(', ')}`);
  return wanted;
}
