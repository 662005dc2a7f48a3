/**
 * Between the version a client speaks and the version that is stored. With conversion strategy None a custom
 * resource changes only its apiVersion; the schema of the target version then prunes and defaults. With strategy
 * Webhook somebody else converts, and objects are prepared before.
 */
import type { ResourceDefinition } from '../registry/definition.ts';
import type { KubeObject } from '../wire/json.ts';

/** Must be awaited before objects are converted; returns at once where no webhook has to be asked. */
export async function prepareConversion(
  { conversion }: ResourceDefinition,
  objects: readonly KubeObject[],
  direction: 'in' | 'out',
): Promise<void> {
  if (conversion?.prepare !== undefined) await conversion.prepare(objects, direction);
}

/** The object in the storage version. */
export function convertIn(definition: ResourceDefinition, object: KubeObject): KubeObject {
  if (definition.conversion !== undefined) return definition.conversion.toStorage(object);
  return object;
}

/** The stored object in the version of the definition. */
export function convertOut(definition: ResourceDefinition, object: KubeObject): KubeObject {
  if (definition.conversion !== undefined) return definition.conversion.fromStorage(object);
  return object;
}
