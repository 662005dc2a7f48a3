/** Finds the webhook of a path, lets it decide, answers with an AdmissionReview. */
import type { Webhook, WebhookContext } from './context.ts';
import { parseReview, renderReview } from './review.ts';

export class Webhooks {
  readonly #table: ReadonlyMap<string, Webhook>;
  readonly #context: () => WebhookContext;

  /** `context` is asked for every request: the configuration may have changed. */
  constructor(table: ReadonlyMap<string, Webhook>, context: () => WebhookContext) {
    this.#table = table;
    this.#context = context;
  }

  /** Undefined when the path is no webhook. */
  async answer(path: string, body: () => Promise<unknown>): Promise<unknown> {
    const webhook = this.#table.get(path);
    if (webhook === undefined) return undefined;
    const request = parseReview(await body());
    return renderReview(request.uid, await webhook(request, this.#context()));
  }
}
