/** `matchLabelKeys` and `mismatchLabelKeys`: keys whose values are taken from the new Pod's own labels. */
import { type FieldError, forbidden, invalid } from '../../../wire/field-errors.ts';
import { arrayAt, asString, at, type Json } from '../../../wire/json.ts';
import { labelKeyProblems } from '../../../wire/label-selector.ts';

export function labelKeysErrors(term: Json, path: string): FieldError[] {
  const noSelector = at(term, 'labelSelector') === undefined;
  const keysAt = (field: string): string[] => arrayAt(term, field).map(asString);
  const names = ['matchLabelKeys', 'mismatchLabelKeys'].flatMap((field) => {
    const keys = keysAt(field);
    if (keys.length > 0 && noSelector)
      return [forbidden(`${path}.${field}`, 'must not be specified when labelSelector is not set')];
    return keys.flatMap((key, i) =>
      labelKeyProblems(key).map((text) => invalid(`${path}.${field}[${i}]`, key, text)),
    );
  });
  const mismatching = new Set(keysAt('mismatchLabelKeys'));
  const both = keysAt('matchLabelKeys').flatMap((key, i) =>
    mismatching.has(key)
      ? [invalid(`${path}.matchLabelKeys[${i}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys')]
      : [],
  );
  return [...names, ...both];
}
