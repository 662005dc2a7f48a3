/** Finds the webhook of a path, lets it decide, answers with an AdmissionReview. */
import { refusal, type ReviewedResource, webhooks } from '@podvisor/api';
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
    const { resource, uid } = request;
    if (isRegistered(path, resource)) return renderReview(uid, await webhook(request, this.#context()));
    const { group, version, resource: name } = resource;
    const message = `unexpected resource {Group:${group} Version:${version} Resource:${name}}`;
    return renderReview(uid, { kind: 'validated', ...refusal(message, 400) });
  }
}

/** A webhook answers for the kinds that it is registered for; anything else is a mistake of who registered it. */
function isRegistered(path: string, { group, resource }: ReviewedResource): boolean {
  return webhooks
    .filter((entry) => entry.path === path)
    .flatMap(({ rules }) => rules)
    .some(
      ({ apiGroups, resources }) =>
        apiGroups.includes(group) && resources.some((name) => name.split('/')[0] === resource),
    );
}
