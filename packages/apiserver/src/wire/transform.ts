/** The other faces of objects: Tables and metadata alone. */
import type { Stored } from '../object-store.ts';
import type { VerbContext } from '../core.ts';
import { plainPrinter } from '../registry/columns/plain.ts';
import { convertOut } from '../verbs/convert.ts';
import { orderMetadata } from '../verbs/serialize.ts';
import type { Json, JsonObject, KubeObject } from './json.ts';
import { badRequest } from './status.ts';

const META = 'meta.k8s.io/v1';

export function partialOf(object: KubeObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: META, metadata: orderMetadata(object.metadata) };
}

/** `includeObject` of the query: what a row carries. */
export function rowObject(context: VerbContext, stored: Stored): Json {
  const include = context.info.query.get('includeObject') ?? 'Metadata';
  if (include === 'None') return null;
  if (include !== 'Metadata' && include !== 'Object' && include !== '') {
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: "${include}": must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
  const object = convertOut(context.definition, stored.object);
  return include === 'Object' ? object : partialOf(object);
}

export interface TableOptions {
  readonly revision: string;
  readonly continue?: string;
  readonly remaining?: number;
  readonly withColumns: boolean;
}

export function tableOf(context: VerbContext, items: readonly Stored[], options: TableOptions): JsonObject {
  const { printer } = context.definition;
  const now = context.core.clock.now();
  return {
    kind: 'Table',
    apiVersion: META,
    metadata: {
      resourceVersion: options.revision,
      ...(options.continue === undefined ? {} : { continue: options.continue }),
      ...(options.remaining === undefined ? {} : { remainingItemCount: options.remaining }),
    },
    columnDefinitions: options.withColumns ? printer.columns.map((column) => ({ ...column })) : null,
    // Kinds without columns of their own have no rows at all where others have none.
    rows:
      items.length === 0 && printer === plainPrinter
        ? null
        : items.map((stored) => ({
            cells: printer.cells(convertOut(context.definition, stored.object), now),
            ...rowExtras(context, stored),
            object: rowObject(context, stored),
          })),
  };
}

function rowExtras({ definition }: VerbContext, stored: Stored): JsonObject {
  const conditions = definition.printer.conditions?.(stored.object) ?? [];
  return conditions.length === 0 ? {} : { conditions };
}
