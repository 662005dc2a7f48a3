/** GET of a collection: selectors, pages, and lists at an exact revision. */
import { firstIndex, StatusError } from '@podvisor/base';
import type { Stored } from '../../object-store.ts';
import type { VerbContext } from '../../core.ts';
import type { Answer } from '../answer.ts';
import { requireRevision } from './get.ts';
import { type ContinueToken, decodeContinue, encodeContinue, listOptions } from './list-options.ts';
import { selectionOf, type Selection } from './select.ts';
import { storeKey } from '../serialize.ts';

export async function list(context: VerbContext): Promise<Answer> {
  const { core } = context;
  const options = listOptions(context, false);
  const selection = selectionOf(context);
  const token = options.continueToken === '' ? undefined : decodeContinue(options.continueToken);
  const asked = await requireRevision(context);
  const exact =
    token !== undefined
      ? token.revision
      : options.match === 'Exact' || (options.limit > 0 && options.match === '' && (asked ?? 0) > 0)
        ? asked
        : undefined;
  const revision = exact === undefined || exact < 0 ? core.store.revision : exact;
  const all = itemsAt(context, selection, revision, token);
  const after = token === undefined ? undefined : `${baseOf(context)}${token.start}`;
  const start = after === undefined ? 0 : firstIndex(all, ({ key }) => key > after);
  // A list from memory (resourceVersion=0) is not paged.
  const limit = asked === 0 && token === undefined ? 0 : options.limit;
  return page(context, selection, all.slice(start), limit, revision);
}

function page(
  context: VerbContext,
  selection: Selection,
  from: readonly Stored[],
  limit: number,
  revision: number,
): Answer {
  const chosen = selection.everything ? from : from.filter((stored) => selection.matches(stored.object));
  if (limit === 0 || chosen.length <= limit) return { kind: 'list', items: chosen, revision };
  const items = chosen.slice(0, limit);
  const last = items.at(-1);
  const token = last === undefined ? '' : encodeContinue({ revision, start: relative(context, last) });
  return {
    kind: 'list',
    items,
    revision,
    continue: token,
    ...(selection.everything ? { remaining: chosen.length - limit } : {}),
  };
}

/** The items as they were at a revision; the present ones when it is the present. */
function itemsAt(
  context: VerbContext,
  selection: Selection,
  revision: number,
  token: ContinueToken | undefined,
): readonly Stored[] {
  const { core, definition } = context;
  const items = core.store.list(definition.collection, selection.prefix);
  if (revision >= core.store.revision) return items;
  const events =
    revision <= core.store.compactedRevision
      ? undefined
      : core.store.eventsAfter(definition.collection, revision);
  if (events === undefined) throw expired(context, token);
  if (events.length === 0) return items;
  const byKey = new Map(items.map((stored) => [stored.key, stored]));
  for (const event of events.toReversed()) {
    if (selection.prefix !== undefined && !event.stored.key.startsWith(selection.prefix)) continue;
    if (event.previous === undefined) byKey.delete(event.stored.key);
    else byKey.set(event.stored.key, event.previous);
  }
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The key relative to what is listed. */
function relative(context: VerbContext, stored: Stored): string {
  return stored.key.slice(baseOf(context).length);
}

/** What the keys of all that is listed begin with. */
function baseOf({ definition, info }: VerbContext): string {
  return definition.namespaced && info.namespace !== ''
    ? storeKey(definition, info.namespace, '')
    : `${definition.collection}/`;
}

/** 410 with, for a paged list, a token that goes on from the present. */
export class ExpiredContinue extends StatusError {
  readonly token: string | undefined;

  constructor(message: string, token: string | undefined) {
    super('Expired', message);
    this.token = token;
  }
}

function expired(context: VerbContext, token: ContinueToken | undefined): ExpiredContinue {
  if (token === undefined)
    return new ExpiredContinue('The resourceVersion for the provided list is too old.', undefined);
  void context;
  return new ExpiredContinue(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinue({ revision: -1, start: token.start }),
  );
}
