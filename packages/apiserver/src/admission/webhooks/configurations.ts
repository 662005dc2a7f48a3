/** The webhooks in force, read again only when a configuration changes. */
import type { Store } from '../../object-store.ts';
import type { Attributes } from '../attributes.ts';
import { rulesMatch } from './match.ts';
import { type Webhook, webhooksOf } from './webhook.ts';

/** Kinds of requests that are remembered; CRDs come and go, and each has its own. */
const MAX_REQUESTS = 4096;

export class WebhookConfigurations {
  readonly #store: Store;
  readonly #collection: string;
  #webhooks: readonly Webhook[] | undefined;
  /** Those whose rules name a kind of request; there are as many kinds as resources and verbs. */
  readonly #byRequest = new Map<string, readonly Webhook[]>();

  constructor(store: Store, kind: 'mutating' | 'validating') {
    this.#store = store;
    this.#collection = `admissionregistration.k8s.io/${kind}webhookconfigurations`;
    store.subscribe(this.#collection, () => {
      this.#webhooks = undefined;
      this.#byRequest.clear();
    });
  }

  /**
   * Those whose rules name this kind of request, in the order in which they are asked: configurations by name,
   * webhooks as they stand in them.
   */
  for(attributes: Attributes): readonly Webhook[] {
    const { operation, subresource, definition } = attributes;
    const { apiVersion, plural, namespaced } = definition;
    const request = [operation, apiVersion, plural, subresource, namespaced].join(' ');
    let found = this.#byRequest.get(request);
    if (found === undefined) {
      this.#webhooks ??= this.#store.list(this.#collection).flatMap(({ object }) => webhooksOf(object));
      found = this.#webhooks.filter((webhook) => rulesMatch(webhook, attributes));
      if (this.#byRequest.size >= MAX_REQUESTS) this.#byRequest.clear();
      this.#byRequest.set(request, found);
    }
    return found;
  }
}
