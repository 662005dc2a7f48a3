/** Finds the webhook of a path, lets it decide, answers with an AdmissionReview. */
import { refusal, schemaProblems, webhooks } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import type { Webhook, WebhookContext } from './context.ts';
import { longListRefusal } from './long-lists.ts';
import {
  type AdmissionAnswer,
  type AdmissionRequest,
  parseReview,
  renderReview,
  type ReviewedResource,
} from './review.ts';

type OnAnswered = (request: AdmissionRequest, answer: AdmissionAnswer, beganMs: number) => void;

export class Webhooks {
  readonly #table: ReadonlyMap<string, Webhook>;
  readonly #context: () => WebhookContext;
  readonly #onAnswered: OnAnswered | undefined;

  /**
   * `context` is asked for every request: the configuration may have changed. `onAnswered` hears of every review and
   * when it came, for traces.
   */
  constructor(table: ReadonlyMap<string, Webhook>, context: () => WebhookContext, onAnswered?: OnAnswered) {
    this.#table = table;
    this.#context = context;
    this.#onAnswered = onAnswered;
  }

  /** Undefined when the path is no webhook. */
  async answer(path: string, body: () => Promise<unknown>): Promise<unknown> {
    const webhook = this.#table.get(path);
    if (webhook === undefined) return undefined;
    const beganMs = this.#onAnswered === undefined ? 0 : Date.now();
    const request = parseReview(await body());
    const { resource, uid } = request;
    if (isRegistered(path, resource)) {
      const answer = longListRefusal(request) ?? (await this.#ask(path, webhook, request));
      this.#onAnswered?.(request, answer, beganMs);
      return renderReview(uid, answer);
    }
    const { group, version, resource: name } = resource;
    const message = `unexpected resource {Group:${group} Version:${version} Resource:${name}}`;
    return renderReview(uid, { kind: 'validated', ...refusal(message, 400) });
  }

  /**
   * What cannot be read is refused in the schema's words: mutating webhooks are asked before the API server looks,
   * and some validating ones look themselves.
   */
  async #ask(path: string, webhook: Webhook, request: AdmissionRequest): Promise<AdmissionAnswer> {
    try {
      const answer = await webhook(request, this.#context());
      const isRefused = answer.kind === 'validated' && !answer.allowed && isSchemaFirst(path);
      return (isRefused ? await schemaRefusal(request.object) : undefined) ?? answer;
    } catch (error) {
      const refused = error instanceof StatusError ? undefined : await schemaRefusal(request.object);
      if (refused === undefined) throw error;
      return refused;
    }
  }
}

/**
 * The refusal of an object that does not fit the schema of its kind; undefined when it does. Schemas are
 * large and rarely needed: they are loaded when the first broken object comes.
 */
async function schemaRefusal(object: unknown): Promise<AdmissionAnswer | undefined> {
  const kind = typeof object === 'object' && object !== null && 'kind' in object ? object.kind : undefined;
  const { crds } = await import('@podvisor/api/crds');
  const crd = crds.find(({ spec }) => spec.names.kind === kind);
  const problems = schemaProblems(object, crd?.spec.versions[0]?.schema.openAPIV3Schema ?? {});
  return problems.length === 0 ? undefined : { kind: 'validated', ...refusal(problems.join(', '), 422) };
}

/** Kinds whose validating webhooks begin with the schema. */
const SCHEMA_FIRST: ReadonlySet<string> = new Set([
  '/virtualmachineinstances-validate-create',
  '/virtualmachineinstances-validate-update',
  '/virtualmachines-validate',
  '/virtualmachinereplicaset-validate',
  '/virtualmachinepool-validate',
  '/vmipreset-validate',
  '/migration-validate-create',
  '/migration-validate-update',
  '/kubevirt-validate-create',
  '/kubevirt-validate-update',
]);

function isSchemaFirst(path: string): boolean {
  return SCHEMA_FIRST.has(path) || webhooks.some((entry) => entry.path === path && entry.type === 'Mutating');
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
