/** The last step of an update: nothing for an unchanged object, the end of one whose last finalizer went, else a commit. */
import { deepEqual } from '@podvisor/base';
import type { Stored } from '../object-store.ts';
import type { VerbContext } from '../core.ts';
import type { JsonObject, KubeObject } from '../wire/json.ts';
import { convertIn } from './convert.ts';
import { checkSize } from './object-size.ts';
import { finishDeletion } from './delete/finish-deletion.ts';
import { storedForm } from './serialize.ts';

/** Commits the object, unless nothing changed or it is a dry run. */
export async function storeUpdate(
  context: VerbContext,
  key: string,
  before: Stored,
  object: KubeObject,
  dryRun: boolean,
): Promise<Stored> {
  const { core, definition } = context;
  const kept = convertIn(definition, object);
  const finished = finishDeletion(kept);
  if (!finished && same(kept, before.object)) return before;
  if (dryRun)
    return {
      key,
      revision: before.revision,
      object: kept,
      text: storedForm(definition, key, kept, before.revision).text,
    };
  const stored = storedForm(definition, key, kept, core.store.nextRevision());
  if (!finished) checkSize(stored, before);
  await core.store.commit(stored, finished);
  if (!finished) return stored;
  // Who took the last finalizer away gets the object as it was: there is no newer one.
  const { resourceVersion } = before.object.metadata;
  return {
    ...stored,
    object: { ...stored.object, metadata: { ...stored.object.metadata, resourceVersion } },
    text: '',
  };
}

/** Equal but for managed-field times that an unchanged object would only have refreshed. */
function same(object: KubeObject, before: KubeObject): boolean {
  return deepEqual(withoutTimes(object), withoutTimes(before));
}

function withoutTimes(object: KubeObject): JsonObject {
  const { managedFields, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: { ...metadata, managedFields: managedFields?.map(({ time: _time, ...entry }) => entry) },
  };
}
