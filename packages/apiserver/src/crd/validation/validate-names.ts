/** The rules of the names of a CRD, in its spec and as accepted in its status. */
import { label1035Problems } from '../../verbs/metadata.ts';
import { type FieldError, invalid, required } from '../../wire/field-errors.ts';
import { arrayAt, asString, type JsonObject, stringAt } from '../../wire/json.ts';

/** Names that a spec must have; defaulting has filled in those that follow from the kind. */
export function requiredNameErrors(names: JsonObject, path: string): FieldError[] {
  return ['plural', 'singular', 'kind', 'listKind']
    .filter((key) => stringAt(names, key) === '')
    .map((key) => required(`${path}.${key}`));
}

/** The form of the names that are there. */
export function nameErrors(names: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['plural', 'singular'])
    errors.push(...labelErrors(stringAt(names, key), `${path}.${key}`));
  for (const key of ['kind', 'listKind']) {
    const name = stringAt(names, key);
    const problems = name === '' ? [] : label1035Problems(name.toLowerCase());
    if (problems.length > 0)
      errors.push(
        invalid(
          `${path}.${key}`,
          name,
          `may have mixed case, but should otherwise match: ${problems.join(',')}`,
        ),
      );
  }
  const kind = stringAt(names, 'kind');
  if (kind !== '' && kind === stringAt(names, 'listKind'))
    errors.push(invalid(`${path}.listKind`, kind, 'kind and listKind may not be the same'));
  for (const key of ['shortNames', 'categories'])
    arrayAt(names, key).forEach((name, i) => {
      const problems = label1035Problems(asString(name));
      if (problems.length > 0) errors.push(invalid(`${path}.${key}[${i}]`, name, problems.join(',')));
    });
  return errors;
}

function labelErrors(name: string, path: string): FieldError[] {
  const problems = name === '' ? [] : label1035Problems(name);
  return problems.length > 0 ? [invalid(path, name, problems.join(','))] : [];
}
