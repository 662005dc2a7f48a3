/** An object inside a custom resource that is a whole object itself must say what it is, and have sound metadata. */
import {
  label1035Problems,
  pathNameProblems,
  validateAnnotations,
  validateLabels,
} from '../verbs/metadata.ts';
import { type FieldError, invalid, required } from '../wire/field-errors.ts';
import { asObject, type JsonObject, type KubeObject, stringAt } from '../wire/json.ts';

export function embeddedErrors(value: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['apiVersion', 'kind'] as const) {
    const given = value[key];
    const where = `${path}.${key}`;
    if (given === undefined) errors.push(required(where, 'must not be empty'));
    else if (typeof given !== 'string') errors.push(invalid(where, given, 'must be a string'));
    else if (given === '') errors.push(invalid(where, given, 'must not be empty'));
    else if (key === 'apiVersion' && given.split('/').length > 2)
      errors.push(invalid(where, given, `unexpected GroupVersion string: ${given}`));
    else if (key === 'kind')
      for (const problem of label1035Problems(given.toLowerCase()))
        errors.push(invalid(where, given, problem));
  }
  const metadata = asObject(value['metadata']);
  if (metadata === undefined) return errors;
  const where = `${path}.metadata`;
  const name = stringAt(metadata, 'name');
  if (name !== '')
    for (const problem of pathNameProblems(name)) errors.push(invalid(`${where}.name`, name, problem));
  const { labels, annotations } = metadata as KubeObject['metadata'];
  errors.push(...validateLabels(labels, `${where}.labels`));
  errors.push(...validateAnnotations(annotations, `${where}.annotations`));
  return errors;
}
