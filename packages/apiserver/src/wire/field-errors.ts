/** Broken rules of an object's fields, in Kubernetes' words, and the 422 they become. */
import { type StatusCause, StatusError } from '@podvisor/base';
import { isRawNumber } from './json.ts';

/** One broken rule. */
export interface FieldError {
  readonly field: string;
  readonly reason: string;
  /** Without the field: `Required value: …`. */
  readonly message: string;
}

/** How a value appears inside a message: strings quoted as Go does, the rest as JSON. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (value === undefined) return 'null';
  if (isRawNumber(value)) return value.rawJSON;
  return JSON.stringify(value);
}

/** A string as Go's %q writes it. */
export function goQuote(text: string): string {
  return JSON.stringify(text).replace(/\\u00([01][0-9a-f])/g, '\\x$1');
}

const detailed = (head: string, detail: string): string => (detail === '' ? head : `${head}: ${detail}`);

export function required(field: string, detail = ''): FieldError {
  return { field, reason: 'FieldValueRequired', message: detailed('Required value', detail) };
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return {
    field,
    reason: 'FieldValueInvalid',
    message: detailed(`Invalid value: ${quoteValue(value)}`, detail),
  };
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return {
    field,
    reason: 'FieldValueTypeInvalid',
    message: detailed(`Invalid value: ${quoteValue(value)}`, detail),
  };
}

export function forbidden(field: string, detail: string): FieldError {
  return { field, reason: 'FieldValueForbidden', message: `Forbidden: ${detail}` };
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.map((item) => goQuote(item)).join(', ');
  return {
    field,
    reason: 'FieldValueNotSupported',
    message: detailed(
      `Unsupported value: ${quoteValue(value)}`,
      list === '' ? '' : `supported values: ${list}`,
    ),
  };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { field, reason: 'FieldValueDuplicate', message: `Duplicate value: ${quoteValue(value)}` };
}

export function notFoundValue(field: string, value: unknown): FieldError {
  return { field, reason: 'FieldValueNotFound', message: `Not found: ${quoteValue(value)}` };
}

export function tooLong(field: string, max: number): FieldError {
  return { field, reason: 'FieldValueTooLong', message: `Too long: may not be more than ${max} bytes` };
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  return {
    field,
    reason: 'FieldValueTooMany',
    message: `Too many: ${actual}: must have at most ${max} items`,
  };
}

/** One sentence for all of them; the same sentence is not said twice. */
export function joinErrors(errors: readonly FieldError[]): string {
  const lines = [
    ...new Set(
      errors.map((error) => (error.field === '' ? error.message : `${error.field}: ${error.message}`)),
    ),
  ];
  return lines.length === 1 ? (lines[0] ?? '') : `[${lines.join(', ')}]`;
}

export function causesOf(errors: readonly FieldError[]): StatusCause[] {
  return errors.map(({ reason, message, field }) => ({
    reason,
    message,
    ...(field === '' ? {} : { field }),
  }));
}

/** 422 for an object of this kind. `group` is empty for core kinds. */
export function invalidObject(
  kind: string,
  group: string,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const qualified = group === '' ? kind : `${kind}.${group}`;
  return new StatusError('Invalid', `${qualified} "${name}" is invalid: ${joinErrors(errors)}`, {
    details: {
      ...(name === '' ? {} : { name }),
      ...(group === '' ? {} : { group }),
      ...(kind === '' ? {} : { kind }),
      causes: causesOf(errors),
    },
  });
}
