/** Random objects that fit a structural schema: what users could write, most of it nonsense. */
import * as fc from 'fast-check';
import type { JSONSchemaProps } from '../crds/schema.ts';

const QUANTITIES = ['0', '1', '500m', '1M', '8Mi', '64Mi', '1Gi', '1537Mi', '-1', '4G', 7];
const WORDS = [
  '',
  'a',
  'b',
  'virtio',
  'sata',
  'amd64',
  'arm64',
  's390x',
  'default',
  'None',
  '02:00:00:00:00:00',
  'x.y',
  '2Mi',
];

/** An arbitrary value of the schema; optional fields are there one time in four. */
export function arbitraryOf(schema: JSONSchemaProps): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema['x-kubernetes-int-or-string']) return fc.constantFrom(...QUANTITIES);
  switch (schema.type) {
    case 'string':
      return fc.constantFrom(...WORDS);
    case 'integer':
      return fc.constantFrom(0, 1, 2, 3, 512, 65_536);
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}), { maxLength: 3 });
    case 'object':
      return arbitraryObject(schema);
    default:
      return fc.constant({});
  }
}

function sometimes(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, { arbitrary: value, weight: 1 });
}

function arbitraryObject({
  additionalProperties,
  properties,
  required = [],
}: JSONSchemaProps): fc.Arbitrary<unknown> {
  if (!properties) {
    const values = additionalProperties && arbitraryOf(additionalProperties);
    return values
      ? fc.dictionary(fc.constantFrom('cpu', 'memory', 'a'), values, { maxKeys: 2 })
      : fc.constant({});
  }
  const fields = Object.entries(properties).map(([name, property]): [string, fc.Arbitrary<unknown>] => {
    const value = arbitraryOf(property);
    return [name, required.includes(name) ? value : sometimes(value)];
  });
  const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields);
  // What is undefined is not there, as in JSON.
  return fc.record(model).map((value): unknown => JSON.parse(JSON.stringify(value)));
}
