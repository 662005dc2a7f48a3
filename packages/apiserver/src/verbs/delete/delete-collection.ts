/** DELETE of a collection: each chosen object is deleted on its own; the answer is the list of them. */
import { isStatus } from '@podvisor/base';
import type { VerbContext } from '../../core.ts';
import type { Answer } from '../answer.ts';
import { deleteObject } from './delete.ts';
import { deleteOptions } from './delete-options.ts';
import { forEachOf } from './for-each-of.ts';
import { requireRevision } from '../read/get.ts';
import { listOptions } from '../read/list-options.ts';
import { selectionOf } from '../read/select.ts';

/**
 * So many objects are deleted at a time (`--delete-collection-workers` of kube-apiserver): their writes share commits,
 * and webhooks that are asked about each answer meanwhile.
 */
const WORKERS = 8;

export async function removeCollection(context: VerbContext): Promise<Answer> {
  const { core, definition } = context;
  const selection = selectionOf(context);
  const { limit } = listOptions(context, false);
  await requireRevision(context);
  const options = await deleteOptions(context);
  const revision = core.store.revision;
  const all = core.store
    .list(definition.collection, selection.prefix)
    .filter((stored) => selection.matches(stored.object));
  const items = limit > 0 ? all.slice(0, limit) : all;
  await forEachOf(items, WORKERS, async ({ key, object }) => {
    try {
      await deleteObject(context, key, object.metadata.name ?? '', options);
    } catch (error) {
      // Someone else deleted it first: that is what was asked for.
      if (!isStatus(error, 'NotFound')) throw error;
    }
  });
  return { kind: 'list', items, revision };
}
