/** What kind rules may look up, backed by the store. */
import { keyOf } from '@podvisor/store';
import type { Core } from '../core.ts';
import type { RuleContext } from '../registry/definition.ts';

export function ruleContext({ store, clock }: Core): RuleContext {
  return {
    nowMs: clock.now(),
    lookup: (collection, namespace, name) => {
      const cut = collection.lastIndexOf('/');
      return store.latest(keyOf(collection.slice(0, cut), collection.slice(cut + 1), namespace, name))
        ?.object;
    },
    list: (collection) => store.list(collection).map((stored) => stored.object),
  };
}
