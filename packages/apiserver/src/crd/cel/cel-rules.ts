/** `x-kubernetes-validations`: the CEL rules of a schema, run against an object from the root down. */
import { deepEqual, memberOf } from '@podvisor/base';
import { type FieldError, quoteValue } from '../../wire/field-errors.ts';
import { at, isObject, type Json, type KubeObject, objectAt } from '../../wire/json.ts';
import { isObjectLimitExceeded, OBJECT_EXCEEDED, withinObjectLimit } from './cel-budget.ts';
import { evaluate, toCel } from './cel.ts';
import { type SchemaProps, type ValidationRule, valueSchema } from '../schema-props.ts';

/** A schema with rules somewhere inside; places without rules are not visited. */
export interface RuleSet {
  readonly schema: SchemaProps;
  readonly withRules: ReadonlySet<SchemaProps>;
}

export function compileRules(schema: SchemaProps): RuleSet {
  const withRules = new Set<SchemaProps>();
  const visit = (node: SchemaProps): boolean => {
    let found = (node['x-kubernetes-validations']?.length ?? 0) > 0;
    for (const child of Object.values(node.properties ?? {})) if (visit(child)) found = true;
    if (node.items !== undefined && visit(node.items)) found = true;
    const values = valueSchema(node);
    if (values !== undefined && visit(values)) found = true;
    if (found) withRules.add(node);
    return found;
  };
  visit(schema);
  return { schema, withRules };
}

const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

export function validateRules(
  { schema, withRules }: RuleSet,
  object: KubeObject,
  old: KubeObject | undefined,
  before: readonly FieldError[],
): FieldError[] {
  if (withRules.size === 0) return [];
  if (before.some(({ reason }) => BLOCKING.has(reason))) {
    return [{ field: '<nil>', reason: 'FieldValueInvalid', message: `Invalid value: null: ${NOT_CHECKED}` }];
  }
  const errors: FieldError[] = [];
  withinObjectLimit(() => {
    walk(schema, withRules, object, old, '', errors, true);
    if (isObjectLimitExceeded())
      errors.push({
        field: '<nil>',
        reason: 'FieldValueInvalid',
        message: `Invalid value: "": ${OBJECT_EXCEEDED}`,
      });
  });
  return errors;
}

/** Runs the rules of a part of a schema against a value that stands alone, as a default does. */
export function validateValueRules(schema: SchemaProps, value: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  walk(schema, compileRules(schema).withRules, value, undefined, path, errors, false);
  return errors;
}

/** Errors of the schema after which rules make no sense. */
const BLOCKING = new Set([
  'FieldValueTypeInvalid',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueDuplicate',
]);

function walk(
  schema: SchemaProps,
  withRules: ReadonlySet<SchemaProps>,
  value: Json | undefined,
  old: Json | undefined,
  path: string,
  errors: FieldError[],
  root: boolean,
): void {
  if (value === undefined || value === null || !withRules.has(schema)) return;
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length > 0 && !(old !== undefined && deepEqual(value, old))) {
    const self = root
      ? toCel(rootView(value), { ...schema, properties: { ...schema.properties } })
      : toCel(value, schema);
    for (const rule of rules) {
      if (isObjectLimitExceeded()) return;
      const error = check(rule, schema, value, self, old, path);
      if (error !== undefined) errors.push(error);
    }
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined || !withRules.has(items)) return;
    const before = correlation(schema, old);
    value.forEach((item, i) => walk(items, withRules, item, before(item), `${path}[${i}]`, errors, false));
    return;
  }
  if (!isObject(value)) return;
  const values = valueSchema(schema);
  for (const key of Object.keys(value).toSorted()) {
    const declared = memberOf(schema.properties, key);
    const child = declared ?? values;
    if (child === undefined) continue;
    const here = declared === undefined ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    walk(child, withRules, value[key], isObject(old) ? memberOf(old, key) : undefined, here, errors, false);
  }
}

/** At the root, rules see apiVersion, kind, metadata.name and metadata.generateName, and the schema's fields. */
function rootView(value: Json): Json {
  const object = objectAt({ value }, 'value');
  const { name, generateName } = objectAt(object, 'metadata');
  return {
    ...object,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(generateName === undefined ? {} : { generateName }),
    },
  };
}

/** Finds the old item of a list that merges by key; others cannot be told apart. */
function correlation(schema: SchemaProps, old: Json | undefined): (item: Json) => Json | undefined {
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map') return () => undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const identity = (item: Json): string => JSON.stringify(keys.map((key) => at(item, key) ?? null));
  const byKey = new Map<string, Json>();
  for (const item of old) if (!byKey.has(identity(item))) byKey.set(identity(item), item);
  return (item) => byKey.get(identity(item));
}

const REASONS: Readonly<Record<string, [reason: string, word: string]>> = {
  FieldValueInvalid: ['FieldValueInvalid', 'Invalid value'],
  FieldValueForbidden: ['FieldValueForbidden', 'Forbidden'],
  FieldValueRequired: ['FieldValueRequired', 'Required value'],
  FieldValueDuplicate: ['FieldValueDuplicate', 'Duplicate value'],
};

function check(
  rule: ValidationRule,
  schema: SchemaProps,
  value: Json,
  self: unknown,
  old: Json | undefined,
  path: string,
): FieldError | undefined {
  const transition = /\boldSelf\b/.test(rule.rule);
  if (transition && old === undefined && rule.optionalOldSelf !== true) return undefined;
  const context: Record<string, unknown> = { self };
  if (transition) {
    const before = old === undefined ? undefined : toCel(old, schema);
    context['oldSelf'] =
      rule.optionalOldSelf === true
        ? evaluate(old === undefined ? 'optional.none()' : 'optional.of(value)', { value: before })
        : before;
  }
  const field = path === '' ? '<nil>' : path;
  const scalar = !isObject(value) && !Array.isArray(value);
  try {
    if (evaluate(rule.rule, context, rule.optionalOldSelf === true) === true) return undefined;
  } catch (error) {
    const shown = scalar ? quoteValue(value) : `"${Array.isArray(value) ? 'array' : 'object'}"`;
    return {
      field,
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${shown}: ${error instanceof Error ? error.message : String(error)} evaluating rule: ${rule.message ?? rule.rule}`,
    };
  }
  const [reason, word] = memberOf(REASONS, rule.reason ?? 'FieldValueInvalid') ?? [
    'FieldValueInvalid',
    'Invalid value',
  ];
  const message = messageOf(rule, context);
  const where =
    rule.fieldPath === undefined || rule.fieldPath === ''
      ? field
      : path === ''
        ? rule.fieldPath.slice(1)
        : `${path}${rule.fieldPath}`;
  const shown =
    scalar && where === field && (reason === 'FieldValueInvalid' || reason === 'FieldValueDuplicate')
      ? `: ${quoteValue(value)}`
      : '';
  return { field: where, reason, message: `${word}${shown}: ${message}` };
}

function messageOf(rule: ValidationRule, context: Record<string, unknown>): string {
  if (rule.messageExpression !== undefined && rule.messageExpression !== '') {
    try {
      const text = evaluate(rule.messageExpression, context, rule.optionalOldSelf === true);
      if (typeof text === 'string' && text.trim() !== '' && !text.includes('\n')) return text;
    } catch {
      // A message that cannot be made falls back to the fixed one.
    }
  }
  return rule.message !== undefined && rule.message !== ''
    ? rule.message
    : `failed rule: ${rule.rule.trim()}`;
}
