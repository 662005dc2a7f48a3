/** Rules of paths inside volumes and containers. */
import { type FieldError, invalid } from '../../../wire/field-errors.ts';

/** A path that climbs out of where it begins. One error says it, however often it climbs. */
export function backstepErrors(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

/** A path below a directory that the reader of the field knows. */
export function descendingPathErrors(path: string, field: string): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...backstepErrors(path, field),
  ];
}

/** As `descendingPathErrors`; names that begin with `..` are the kubelet's own in a volume it fills. */
export function unreservedPathErrors(path: string, field: string): FieldError[] {
  const errors = descendingPathErrors(path, field);
  // A path that climbs was named already.
  if (path.startsWith('..') && !path.startsWith('../'))
    errors.push(invalid(field, path, "must not start with '..'"));
  return errors;
}
