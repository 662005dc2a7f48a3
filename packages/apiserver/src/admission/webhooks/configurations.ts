/** The webhooks in force, read again only when a configuration changes. */
import type { Store } from '../../object-store.ts';
import { type Webhook, webhooksOf } from './webhook.ts';

export class WebhookConfigurations {
  readonly #store: Store;
  readonly #collection: string;
  #webhooks: readonly Webhook[] | undefined;

  constructor(store: Store, kind: 'mutating' | 'validating') {
    this.#store = store;
    this.#collection = `admissionregistration.k8s.io/${kind}webhookconfigurations`;
    store.subscribe(this.#collection, () => {
      this.#webhooks = undefined;
    });
  }

  /** In the order in which they are asked: configurations by name, webhooks as they stand in them. */
  all(): readonly Webhook[] {
    this.#webhooks ??= this.#store.list(this.#collection).flatMap(({ object }) => webhooksOf(object));
    return this.#webhooks;
  }
}
