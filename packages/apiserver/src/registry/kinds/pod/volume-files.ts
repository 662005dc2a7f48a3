/** Rules of the files that the kubelet writes into a volume. */
import { type FieldError, invalid, required } from '../../../wire/field-errors.ts';
import { arrayAt, at, type Json, stringAt } from '../../../wire/json.ts';
import { fieldRefErrors, resourceRefErrors } from './downward.ts';
import { unreservedPathErrors } from './paths.ts';

export type SourceRule = (source: Json, path: string) => FieldError[];

const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';

/** A source that needs these fields. */
export const needs =
  (...fields: readonly string[]): SourceRule =>
  (source, path) =>
    fields
      .filter((field) => stringAt(source, field) === '' && arrayAt(source, field).length === 0)
      .map((field) => required(`${path}.${field}`));

/** The mode of the files that the kubelet writes. */
export function modeErrors(source: Json, path: string, field: string): FieldError[] {
  const mode = at(source, field);
  return typeof mode === 'number' && (mode < 0 || mode > 0o777)
    ? [invalid(`${path}.${field}`, mode, MODE)]
    : [];
}

/** Keys of a ConfigMap or Secret that become files. */
export function itemErrors(source: Json, path: string): FieldError[] {
  return arrayAt(source, 'items').flatMap((item, i) => {
    const where = `${path}.items[${i}]`;
    return [
      ...needs('key', 'path')(item, where),
      ...unreservedPathErrors(stringAt(item, 'path'), `${where}.path`),
      ...modeErrors(item, where, 'mode'),
    ];
  });
}

/** A file with something of the Pod. Kubernetes names the volume, not the item. */
export function downwardFileErrors(item: Json, path: string): FieldError[] {
  const [field, resource] = [at(item, 'fieldRef'), at(item, 'resourceFieldRef')];
  const errors = [
    ...needs('path')(item, path),
    ...unreservedPathErrors(stringAt(item, 'path'), `${path}.path`),
  ];
  if (field !== undefined) {
    errors.push(...fieldRefErrors(field, `${path}.fieldRef`, 'file'));
    if (resource !== undefined)
      errors.push(
        invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
      );
  } else if (resource !== undefined)
    errors.push(...resourceRefErrors(resource, `${path}.resourceFieldRef`, 'file'));
  else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...modeErrors(item, path, 'mode')];
}
