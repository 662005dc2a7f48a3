/** Rules that several kinds share, in Kubernetes' words. */
import { deepEqual } from '@podvisor/base';
import { subdomainProblems } from '../../verbs/metadata.ts';
import { type FieldError, invalid, required } from '../../wire/field-errors.ts';
import { at, type Json } from '../../wire/json.ts';

/** Fields below `path` that may not be negative. */
export function notNegativeAt(object: unknown, path: string, fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => {
    const value = at(object, field);
    return typeof value === 'number' && value < 0
      ? [invalid(`${path}.${field}`, value, 'must be greater than or equal to 0')]
      : [];
  });
}

/** A name below a domain, such as `example.com/what`. */
export function domainPathErrors(text: string, path: string): FieldError[] {
  if (text === '') return [required(path)];
  const cut = text.indexOf('/');
  if (cut < 1 || cut === text.length - 1)
    return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const domain = text.slice(0, cut);
  return subdomainProblems(domain).map((problem) => invalid(path, domain, problem));
}

const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number that is not negative, or a percentage. */
export function intOrPercentErrors(path: string, value: Json | undefined): FieldError[] {
  if (typeof value === 'string') return /^[0-9]+%$/.test(value) ? [] : [invalid(path, value, PERCENT)];
  return typeof value === 'number' && value < 0
    ? [invalid(path, value, 'must be greater than or equal to 0')]
    : [];
}

/** A percentage may not be more than the whole. */
export function atMostAll(path: string, value: Json | undefined): FieldError[] {
  return typeof value === 'string' && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100
    ? [invalid(path, value, 'must not be greater than 100%')]
    : [];
}

/** True for 0, `0%` and nothing. */
export function isNone(value: Json | undefined): boolean {
  return value === undefined || value === 0 || value === '0%';
}

/** The values below `path` may not change once they are set. */
export function immutableAt(
  object: unknown,
  old: unknown,
  path: string,
  fields: readonly string[],
): FieldError[] {
  const below = path === '' ? [] : path.split('.');
  return fields.flatMap((field) => {
    const value = at(object, ...below, field);
    if (deepEqual(value, at(old, ...below, field))) return [];
    return [invalid(path === '' ? field : `${path}.${field}`, value, 'field is immutable')];
  });
}
