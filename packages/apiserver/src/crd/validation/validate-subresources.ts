/** The rules of what a CRD shows beside its objects: scale paths and printer columns. */
import { type FieldError, invalid, required } from '../../wire/field-errors.ts';
import { at, type Json, stringAt } from '../../wire/json.ts';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** `subresources` of a version, or those that all versions share. */
export function subresourceErrors(subresources: Json | undefined, path: string): FieldError[] {
  const scale = at(subresources, 'scale');
  if (scale === undefined || scale === null) return [];
  return [
    ...scalePathErrors(scale, path, 'specReplicasPath', ['.spec.'], '.spec'),
    ...scalePathErrors(scale, path, 'statusReplicasPath', ['.status.'], '.status'),
    ...(stringAt(scale, 'labelSelectorPath') === ''
      ? []
      : scalePathErrors(scale, path, 'labelSelectorPath', ['.spec.', '.status.'], 'either .spec or .status')),
  ];
}

function scalePathErrors(
  scale: Json,
  path: string,
  key: string,
  prefixes: readonly string[],
  place: string,
): FieldError[] {
  const where = `${path}.scale.${key}`;
  const value = stringAt(scale, key);
  if (value === '') return [required(where)];
  const errors = simplePathErrors(value, where);
  if (errors.length > 0) return errors;
  return prefixes.some((prefix) => value.startsWith(prefix))
    ? []
    : [invalid(where, value, `should be a json path under ${place}`)];
}

/** One printer column. */
export function columnErrors(column: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(column, 'type');
  const format = stringAt(column, 'format');
  const jsonPath = stringAt(column, 'jsonPath');
  const oneOf = (list: readonly string[]): string => `must be one of ${list.join(',')}`;
  if (stringAt(column, 'name') === '') errors.push(required(`${path}.name`));
  if (type === '') errors.push(required(`${path}.type`, oneOf(COLUMN_TYPES)));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalid(`${path}.type`, type, oneOf(COLUMN_TYPES)));
  if (format !== '' && !COLUMN_FORMATS.includes(format))
    errors.push(invalid(`${path}.format`, format, oneOf(COLUMN_FORMATS)));
  if (jsonPath === '') errors.push(required(`${path}.JSONPath`));
  else errors.push(...simplePathErrors(jsonPath, `${path}.JSONPath`));
  return errors;
}

function simplePathErrors(value: string, path: string): FieldError[] {
  return value.startsWith('.') ? [] : [invalid(path, value, 'must be a simple json path starting with .')];
}
