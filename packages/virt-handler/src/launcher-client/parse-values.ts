/**
 * Values out of the words of a launcher, each of one kind and of a stated size. What is not of its kind is not there:
 * `undefined`, or the smallest value where one is needed.
 */
import { isRecord } from '@podvisor/base';

export type Fields = Readonly<Record<string, unknown>>;

/** Longest text that is kept. */
const MAX_TEXT = 1024;
/** Most entries of a map that are kept. */
const MAX_ENTRIES = 512;

/** The text, cut to size; empty when it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : '';
}

/** Texts of a list, of which the first `max` count. */
export function textsOf(value: unknown, max: number): readonly string[] {
  return Array.isArray(value) ? value.slice(0, max).map(textOf) : [];
}

/** A whole number from 0 on that counts something. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A map whose values `read` understands. */
export function mapOf<T>(
  value: unknown,
  read: (value: unknown) => T | undefined,
): Readonly<Record<string, T>> {
  const entries = isRecord(value) ? Object.entries(value).slice(0, MAX_ENTRIES) : [];
  return Object.fromEntries(
    entries.flatMap(([key, item]): [string, T][] => {
      const known = read(item);
      return known === undefined ? [] : [[textOf(key), known]];
    }),
  );
}

/** The named texts that are there, and nothing else of the object. */
export function textFields<K extends string>(
  fields: Fields,
  names: readonly K[],
): { readonly [N in K]?: string } {
  const known: { [N in K]?: string } = {};
  for (const name of names) if (typeof fields[name] === 'string') known[name] = textOf(fields[name]);
  return known;
}

/** `{[name]: value}`, or nothing when there is no value: an absent field stays absent. */
export function optional<K extends string, T>(name: K, value: T | undefined): { readonly [N in K]?: T } {
  const known: { [N in K]?: T } = {};
  if (value !== undefined) known[name] = value;
  return known;
}
