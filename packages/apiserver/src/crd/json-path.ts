/** The simple JSON paths of printer columns, scale and selectable fields: `.spec.a["b.c"][0]`, `[?(@.type=="Ready")]`. */
import { at, asArray, type Json } from '../wire/json.ts';

type Step =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly all: true }
  | { readonly filter: { readonly key: readonly string[]; readonly value: string } };

/** More paths than all definitions of a cluster have. */
const MAX_CACHED = 2_000;
const cache = new Map<string, readonly Step[]>();

/** Steps of a path; throws on what is not understood. */
export function parsePath(path: string): readonly Step[] {
  let steps = cache.get(path);
  if (steps === undefined) {
    steps = [...read(path)];
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(path, steps);
  }
  return steps;
}

function* read(path: string): Generator<Step> {
  const token =
    /\.?([A-Za-z0-9_$․/-]+|(?<=\.)\*)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(-?\d+)\]|\[(\*)\]|\[\?\(@\.([A-Za-z0-9_.-]+)\s*==\s*["']([^"']*)["']\)\]/y;
  const text = path.replaceAll('\\.', '․');
  token.lastIndex = text.startsWith('$') ? 1 : 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) throw new Error(`cannot read the path ${path}`);
    const [, name, single, double, index, star, filter, value] = match;
    if (star !== undefined || name === '*') yield { all: true };
    else if (index !== undefined) yield { index: Number(index) };
    else if (filter !== undefined) yield { filter: { key: filter.split('.'), value: value ?? '' } };
    else yield { key: (name ?? single ?? double ?? '').replaceAll('․', '.') };
  }
}

/** All values at the path. */
export function valuesAt(value: unknown, path: string): Json[] {
  let found: unknown[] = [value];
  for (const step of parsePath(path)) {
    found = found.flatMap((item): unknown[] => {
      if (typeof item !== 'object' || item === null) return [];
      if ('all' in step) return Array.isArray(item) ? item : Object.values(item);
      if ('index' in step) {
        const list = asArray(item);
        const at = list.at(step.index);
        return at === undefined ? [] : [at];
      }
      if ('filter' in step)
        return asArray(item).filter((entry) => wordOf(at(entry, ...step.filter.key)) === step.filter.value);
      const next = at(item, step.key);
      return next === undefined ? [] : [next];
    });
  }
  return found as Json[];
}

/** A scalar as text; lists and objects equal no word. */
function wordOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? undefined : String(value ?? '');
}
