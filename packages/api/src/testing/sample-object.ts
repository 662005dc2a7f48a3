/** One object that has every field of a structural schema, so that a rule can be tried on each of them. */
import type { JSONSchemaProps } from '../crds/schema.ts';

/** A value of the schema with all optional fields, one item in each list and one entry in each map. */
export function sampleOf(schema: JSONSchemaProps): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema['x-kubernetes-int-or-string']) return '1';
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? '2020-01-01T00:00:00Z' : 'forged';
    case 'integer':
    case 'number':
      return 7;
    case 'boolean':
      return true;
    case 'array':
      return [sampleOf(schema.items ?? {})];
    case 'object':
      return sampleObject(schema);
    default:
      return 'forged';
  }
}

function sampleObject({ properties, additionalProperties }: JSONSchemaProps): unknown {
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sampleOf(field)]));
  return additionalProperties === undefined
    ? { forged: 'forged' }
    : { forged: sampleOf(additionalProperties) };
}
