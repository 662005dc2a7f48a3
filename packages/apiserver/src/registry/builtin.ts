/** Builds the definitions of the built-in resources from the table, the type library and the kinds' rules. */
import { autoscalerV1Conversion } from './autoscaler-conversion.ts';
import { eventConversion } from './event-conversion.ts';
import { printerOf } from './columns/index.ts';
import { ALL_VERBS, type Conversion, type ResourceDefinition } from './definition.ts';
import { rulesOf } from './kinds/index.ts';
import { library } from './library.ts';
import { type GroupRow, type ResourceRow, resourceTable } from './resources.ts';
import { subresourceOf } from './subresources.ts';

export function builtinDefinitions(): ResourceDefinition[] {
  return resourceTable().flatMap((group) => group.resources.map((row) => define(group, row)));
}

/** Faces of resources that are stored in another version or group. */
const FACES: Readonly<Record<string, { readonly stored: string; readonly conversion: Conversion }>> = {
  'events.k8s.io/v1 events': { stored: 'v1', conversion: eventConversion },
  'autoscaling/v1 horizontalpodautoscalers': { stored: 'v2', conversion: autoscalerV1Conversion },
};

function define({ group, version }: GroupRow, row: ResourceRow): ResourceDefinition {
  // Events are one collection with two faces.
  const face = FACES[`${group}/${version} ${row.plural}`];
  const collection = group === 'events.k8s.io' ? '/events' : `${group}/${row.plural}`;
  return {
    group,
    version,
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind: row.kind,
    listKind: `${row.kind}List`,
    plural: row.plural,
    singular: row.kind.toLowerCase(),
    namespaced: row.namespaced,
    shortNames: row.shortNames,
    categories: row.categories,
    verbs: row.verbs ?? ALL_VERBS,
    subresources: new Map(row.subresources.map((name) => [name, subresourceOf(row.plural, row.kind, name)])),
    collection,
    storageVersion: face?.stored ?? version,
    schema: library.struct(row.type),
    rules: rulesOf(group, row.plural, version),
    printer: printerOf(group, row.plural),
    custom: undefined,
    ...(face === undefined ? {} : { conversion: face.conversion }),
  };
}
