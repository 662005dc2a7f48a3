/** The rules of a CRD itself. */
import { type FieldError, invalid } from '../wire/field-errors.ts';
import { type KubeObject, stringAt } from '../wire/json.ts';

export function validateCrd(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const expected = `${stringAt(object, 'spec', 'names', 'plural')}.${stringAt(object, 'spec', 'group')}`;
  if (object.metadata.name !== expected) errors.push(invalid('metadata.name', object.metadata.name ?? '', `must be spec.names.plural+"."+spec.group`));
  return errors;
}

export function validateCrdUpdate(_object: KubeObject, _old: KubeObject): FieldError[] {
  return [];
}
