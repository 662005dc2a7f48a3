/** Checks a value against a structural schema; errors are in Kubernetes' words and order. */
import { deepEqual, memberOf, quantityMeant } from '@podvisor/base';
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooMany,
  typeInvalid,
} from '../wire/field-errors.ts';
import { at, isObject, isRawNumber, type Json, type JsonObject } from '../wire/json.ts';
import { embeddedErrors } from './embedded.ts';
import { formatProblem } from './formats.ts';
import { goPattern, PatternCostError, PatternError } from './pattern/go-pattern.ts';
import { type SchemaProps, valueSchema } from './schema-props.ts';

/** Validates; with `old`, values that did not change are not checked again (ratcheting). */
export function validateSchema(
  schema: SchemaProps,
  value: Json | undefined,
  path: string,
  old: Json | undefined,
  ratchet: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  check(schema, value, path, old, ratchet, errors);
  return errors;
}

function typeOf(value: Json | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isRawNumber(value)) return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'object' ? 'object' : typeof value;
}

function check(
  schema: SchemaProps,
  value: Json | undefined,
  path: string,
  old: Json | undefined,
  ratchet: boolean,
  errors: FieldError[],
): void {
  if (value === undefined) return;
  if (ratchet && old !== undefined && deepEqual(value, old)) return;
  if (value === null && schema.nullable === true) return;
  const type = typeOf(value);
  if (!typeFits(schema, type)) {
    errors.push(
      typeInvalid(
        path,
        shown(value, type),
        `${path} in body must be of type ${expectedType(schema)}: "${type}"`,
      ),
    );
    return;
  }
  if (schema['x-kubernetes-embedded-resource'] === true && isObject(value))
    errors.push(...embeddedErrors(value, path));
  if (schema.enum !== undefined && !schema.enum.some((item) => deepEqual(item, value)))
    errors.push(enumError(schema, value, path));
  if (typeof value === 'string') checkString(schema, value, path, errors);
  else if (type === 'integer' || type === 'number')
    checkNumber(schema, Number(isRawNumber(value) ? value.rawJSON : value), path, errors);
  else if (Array.isArray(value)) checkArray(schema, value, path, old, ratchet, errors);
  else if (isObject(value))
    checkObject(schema, value, path, isObject(old) ? old : undefined, ratchet, errors);
  checkCombined(schema, value, path, errors);
}

function typeFits(schema: SchemaProps, type: string): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return type === 'integer' || type === 'string';
  if (schema.type === undefined || schema.type === '') return true;
  return schema.type === type || (schema.type === 'number' && type === 'integer');
}

function expectedType(schema: SchemaProps): string {
  return schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : (schema.type ?? '');
}

function shown(value: Json, type: string): unknown {
  return type === 'null' || type === 'object' || type === 'array'
    ? type
    : type === 'boolean'
      ? 'boolean'
      : typeof value === 'string'
        ? 'string'
        : type;
}

function enumError(schema: SchemaProps, value: Json, path: string): FieldError {
  return notSupported(
    path,
    value,
    (schema.enum ?? []).map((item) => (typeof item === 'string' ? item : JSON.stringify(item))),
  );
}

/** `Too long` and its kin count characters here. */
function checkString(schema: SchemaProps, value: string, path: string, errors: FieldError[]): void {
  const length = [...value].length;
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    errors.push({
      field: path,
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${schema.maxLength} bytes`,
    });
  }
  if (schema.minLength !== undefined && length < schema.minLength)
    errors.push(invalid(path, value, `${path} in body should be at least ${schema.minLength} chars long`));
  const { pattern } = schema;
  const unmatched = pattern === undefined ? undefined : patternProblem(pattern, value);
  if (pattern !== undefined && unmatched !== undefined)
    errors.push(invalid(path, value, `${path} in body should match ${unmatched}${meant(pattern, value)}`));
  const problem = schema.format === undefined ? undefined : formatProblem(schema.format, value);
  if (problem !== undefined)
    errors.push(
      typeInvalid(
        path,
        value,
        `${path} in body must be of type ${schema.format ?? ''}: ${JSON.stringify(value)}`,
      ),
    );
}

/** What the text should match and does not; a pattern that cannot be read matches nothing. */
function patternProblem(pattern: string, text: string): string | undefined {
  try {
    return goPattern(pattern).test(text) ? undefined : `'${pattern}'`;
  } catch (error) {
    if (error instanceof PatternCostError) return `'${pattern}, but ${error.message}'`;
    if (!(error instanceof PatternError)) throw error;
    return `'${pattern}, but pattern is invalid: ${error.message}'`;
  }
}

function checkNumber(schema: SchemaProps, value: number, path: string, errors: FieldError[]): void {
  const { minimum, maximum, multipleOf } = schema;
  if (maximum !== undefined && (schema.exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    errors.push(
      invalid(
        path,
        value,
        `${path} in body should be less than${schema.exclusiveMaximum === true ? '' : ' or equal to'} ${maximum}`,
      ),
    );
  }
  if (minimum !== undefined && (schema.exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    errors.push(
      invalid(
        path,
        value,
        `${path} in body should be greater than${schema.exclusiveMinimum === true ? '' : ' or equal to'} ${minimum}`,
      ),
    );
  }
  if (multipleOf !== undefined && !Number.isInteger(Number((value / multipleOf).toPrecision(12)))) {
    errors.push(invalid(path, value, `${path} in body should be a multiple of ${multipleOf}`));
  }
  const range = schema.format === 'int32' ? 2 ** 31 : schema.format === 'int64' ? 2 ** 63 : undefined;
  if (range !== undefined && (value >= range || value < -range)) {
    errors.push(
      invalid(
        '<nil>',
        '',
        `Checked value must be of type integer with format ${schema.format ?? ''} in ${path}`,
      ),
    );
  }
}

function checkArray(
  schema: SchemaProps,
  value: readonly Json[],
  path: string,
  old: Json | undefined,
  ratchet: boolean,
  errors: FieldError[],
): void {
  if (schema.maxItems !== undefined && value.length > schema.maxItems)
    errors.push(tooMany(path, value.length, schema.maxItems));
  if (schema.minItems !== undefined && value.length < schema.minItems)
    errors.push(invalid(path, value.length, `${path} in body should have at least ${schema.minItems} items`));
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const olds = Array.isArray(old) ? old : [];
  value.forEach((item, i) => {
    const before =
      listType === 'map'
        ? olds.find((other) => keys.every((key) => deepEqual(at(other, key), at(item, key))))
        : listType === 'set'
          ? olds.find((other) => deepEqual(other, item))
          : olds[i];
    if (schema.items !== undefined)
      check(schema.items, item, `${path}[${i}]`, ratchet ? before : undefined, ratchet, errors);
  });
  if (listType === 'set') {
    value.forEach((item, i) => {
      if (value.findIndex((other) => deepEqual(other, item)) < i)
        errors.push(duplicate(`${path}[${i}]`, item));
    });
  } else if (listType === 'map') {
    const idOf = (item: Json): JsonObject =>
      Object.fromEntries(keys.map((key) => [key, at(item, key)]).filter(([, v]) => v !== undefined));
    value.forEach((item, i) => {
      if (value.findIndex((other) => deepEqual(idOf(other), idOf(item))) < i)
        errors.push(duplicate(`${path}[${i}]`, idOf(item)));
    });
  }
}

function checkObject(
  schema: SchemaProps,
  value: JsonObject,
  path: string,
  old: JsonObject | undefined,
  ratchet: boolean,
  errors: FieldError[],
): void {
  const count = Object.keys(value).length;
  if (schema.maxProperties !== undefined && count > schema.maxProperties)
    errors.push(tooMany(path, count, schema.maxProperties));
  if (schema.minProperties !== undefined && count < schema.minProperties)
    errors.push(
      invalid(path, value, `${path} in body should have at least ${schema.minProperties} properties`),
    );
  for (const key of schema.required ?? []) {
    if (memberOf(value, key) === undefined) errors.push(required(path === '' ? key : `${path}.${key}`));
  }
  const values = valueSchema(schema);
  for (const key of Object.keys(value).toSorted()) {
    const declared = memberOf(schema.properties, key);
    const property = declared ?? values;
    if (property === undefined) continue;
    const here = declared === undefined ? `${path}.${key}` : path === '' ? key : `${path}.${key}`;
    check(property, value[key], here, memberOf(old, key), ratchet, errors);
  }
}

function checkCombined(schema: SchemaProps, value: Json, path: string, errors: FieldError[]): void {
  for (const part of schema.allOf ?? []) errors.push(...validateSchema(part, value, path, undefined, false));
  if (schema.anyOf !== undefined && schema['x-kubernetes-int-or-string'] !== true) {
    const results = schema.anyOf.map((part) => validateSchema(part, value, path, undefined, false));
    if (results.every((result) => result.length > 0)) {
      errors.push(
        ...(results[0] ?? []),
        invalid(
          path,
          quoted(value),
          `${path === '' ? '"" ' : path} must validate at least one schema (anyOf)`.replace('"" ', '"" '),
        ),
      );
    }
  }
  if (schema.oneOf !== undefined) {
    const results = schema.oneOf.map((part) => validateSchema(part, value, path, undefined, false));
    const fits = results.filter((result) => result.length === 0).length;
    if (fits !== 1) {
      if (fits === 0) errors.push(...(results[0] ?? []));
      errors.push(
        invalid(
          path,
          quoted(value),
          `${path} must validate one and only one schema (oneOf). ${fits === 0 ? 'Found none valid' : `Found ${fits} valid alternatives`}`,
        ),
      );
    }
  }
  if (schema.not !== undefined && validateSchema(schema.not, value, path, undefined, false).length === 0) {
    errors.push(invalid(path, quoted(value), `${path} must not validate the schema (not)`));
  }
}

function quoted(value: Json): unknown {
  return isObject(value) ? 'object' : value;
}

/** A pattern of quantities says little to people. */
function meant(pattern: string, value: string): string {
  return pattern.includes('KMGTPE') ? quantityMeant(value) : '';
}
