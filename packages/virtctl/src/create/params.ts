/** `key:value,key:value`: how the flags of the generators describe one thing. */
import { isQuantity, parseQuantity } from '@podvisor/base';

export type Params = ReadonlyMap<string, string>;

/** An error about one flag. */
export function flagError(flag: string, message: string): Error {
  return new Error(`failed to parse "--${flag}" flag: ${message}`);
}

/** Reads the parameters of `flag`; others than `known` are refused. */
export function parseParams(flag: string, text: string, known: readonly string[]): Params {
  if (text === '') throw flagError(flag, 'params may not be empty');
  const params = new Map<string, string>();
  for (const part of text.split(',')) {
    const colon = part.indexOf(':');
    if (colon <= 0) throw flagError(flag, `params need to have at least one colon: ${part}`);
    params.set(part.slice(0, colon), part.slice(colon + 1));
  }
  const unknown = [...params]
    .filter(([key]) => !known.includes(key))
    .map(([key, value]) => `${key}:${value}`);
  if (unknown.length > 0) throw flagError(flag, `unknown param(s): ${unknown.join(', ')}`);
  return params;
}

/** A parameter that must be there. */
export function required(flag: string, params: Params, key: string): string {
  const value = params.get(key);
  if (value === undefined || value === '') throw flagError(flag, `${key} must be specified`);
  return value;
}

/** A size, when there is one, in the form that Kubernetes writes. */
export function sizeOf(flag: string, params: Params): string | undefined {
  const size = params.get('size');
  if (size === undefined) return undefined;
  if (!isQuantity(size)) throw flagError(flag, `failed to parse param "size": "${size}" is not a quantity`);
  return parseQuantity(size).toString();
}

/** Flags of a group of which only one may be given, in the words of KubeVirt's client. */
export function exclusiveError(group: readonly string[], given: readonly string[]): Error {
  return new Error(
    `if any flags in the group [${group.join(' ')}] are set none of the others can be; [${given.toSorted().join(' ')}] were all set`,
  );
}

/** `prefix/name` or `name`. */
export function prefixedName(
  flag: string,
  text: string,
): { readonly prefix?: string; readonly name: string } {
  const [first = '', second, ...more] = text.split('/');
  if (more.length > 0)
    throw flagError(flag, `src invalid: invalid count ${more.length + 2} of slashes in prefix/name`);
  if (second === undefined) {
    if (first === '') throw flagError(flag, 'name cannot be empty');
    return { name: first };
  }
  if (second === '') throw flagError(flag, 'name cannot be empty');
  return first === '' ? { name: second } : { prefix: first, name: second };
}
