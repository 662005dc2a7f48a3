import type { JSONSchemaProps } from './schema.ts';

/** Ports and the like are numbers or texts as well, but have no pattern. */
export function isQuantitySchema(schema: JSONSchemaProps): boolean {
  return schema['x-kubernetes-int-or-string'] === true && schema.pattern !== undefined;
}
