/** What managed fields need to know about an endpoint: the type, and which fields it never lets anyone own. */
import { rfc3339 } from '@podvisor/base';
import type { VerbContext } from '../core.ts';
import type { ManagedContext } from '../managed/field-manager.ts';
import { pathSet } from '../managed/managers.ts';
import { PathSet } from '../managed/path-set.ts';
import { decodeAs } from '../registry/decode.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { JsonObject } from '../wire/json.ts';

const EMPTY = new WeakMap<ResourceDefinition, JsonObject>();

export function managedContext({ core, info, definition }: VerbContext): ManagedContext {
  return {
    schema: definition.schema,
    emptyObject: emptyObject(definition),
    reset: resetFields(definition, info.subresource),
    time: rfc3339(core.clock.now()),
    ...(definition.custom === undefined
      ? {}
      : {
          otherVersion: (apiVersion: string) =>
            apiVersion.startsWith(`${definition.group}/`)
              ? core.registry.find(
                  definition.group,
                  apiVersion.slice(definition.group.length + 1),
                  definition.plural,
                )?.schema
              : undefined,
        }),
  };
}

function emptyObject(definition: ResourceDefinition): JsonObject {
  if (definition.custom !== undefined) return {};
  let empty = EMPTY.get(definition);
  if (empty === undefined) {
    empty = decodeAs(definition.schema, {}, []);
    EMPTY.set(definition, empty);
  }
  return empty;
}

/** The main endpoint does not write status, `/status` does not write spec. */
export function resetFields(definition: ResourceDefinition, subresource: string): PathSet {
  const hasStatus =
    definition.custom === undefined
      ? definition.subresources.has('status')
      : definition.custom.statusSubresource;
  if (subresource === 'status') {
    return pathSet([['spec'], ...(definition.custom === undefined ? [] : [['metadata']])]);
  }
  if (subresource !== '' || !hasStatus) return new PathSet();
  return pathSet((definition.rules.statusFields ?? ['status']).map((field) => [field]));
}
