/** The rules of `selectableFields`: plain values of the object's own fields, at most eight of them. */
import { duplicate, type FieldError, invalid, required, tooMany } from '../../wire/field-errors.ts';
import { type Json, type JsonObject, stringAt } from '../../wire/json.ts';
import { fieldAt } from '../field-path.ts';

const MOST = 8;
const PLAIN = new Set(['string', 'boolean', 'integer']);

export function selectableFieldErrors(
  fields: readonly Json[],
  schema: JsonObject,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  fields.forEach((field, i) => {
    const where = `${path}[${i}].jsonPath`;
    const jsonPath = stringAt(field, 'jsonPath');
    if (jsonPath === '') return errors.push(required(where));
    const found = fieldAt(schema, jsonPath, false);
    if (found.kind === 'problem')
      return errors.push(invalid(where, jsonPath, `is an invalid path: ${found.problem}`));
    if (found.steps[0] === 'metadata')
      errors.push(invalid(where, jsonPath, 'must not point to fields in metadata'));
    if (!PLAIN.has(stringAt(found.schema, 'type')))
      errors.push(
        invalid(
          where,
          jsonPath,
          'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        ),
      );
    const key = JSON.stringify(found.steps);
    if (seen.has(key)) errors.push(duplicate(where, jsonPath));
    seen.add(key);
    return undefined;
  });
  if (seen.size > MOST) errors.push(tooMany(path, seen.size, MOST));
  return errors;
}
