/** Defaults of a schema must be values that the schema itself allows, with nothing that it would prune. */
import { deepEqual } from '@podvisor/base';
import { type FieldError, invalid } from '../../wire/field-errors.ts';
import type { Json, JsonObject } from '../../wire/json.ts';
import { validateValueRules } from '../cel/cel-rules.ts';
import { pruneValue } from '../prune.ts';
import type { SchemaProps } from '../schema-props.ts';
import { children } from '../schema-walk.ts';
import { validateSchema } from '../validate.ts';

/** Problems of all defaults in a structural schema. */
export function defaultErrors(schema: JsonObject, path: string): FieldError[] {
  const errors = ownErrors(schema, path);
  // Defaults of map values are never applied alone, and Kubernetes does not look at them.
  for (const child of children(schema, path))
    if (child.kind !== 'additionalProperties') errors.push(...defaultErrors(child.schema, child.path));
  return errors;
}

function ownErrors(node: JsonObject, path: string): FieldError[] {
  const value = node['default'];
  if (value === undefined) return [];
  const schema = node as SchemaProps;
  const where = `${path}.default`;
  const pruned: Json = structuredClone(value);
  pruneValue(schema, pruned);
  const errors: FieldError[] = deepEqual(pruned, value)
    ? []
    : [invalid(where, value, 'must not have unknown fields')];
  const broken = validateSchema(schema, value, where, undefined, false);
  return [...errors, ...(broken.length > 0 ? broken : validateValueRules(schema, value, where))];
}
