/**
 * Conversion by the webhook that a CRD names. Asking takes time and the rest of the server converts in passing, so
 * objects are prepared first, many in one question, and what was answered is remembered as long as the object lives.
 */
import { randomUUID } from 'node:crypto';
import { messageOf } from '@podvisor/base';
import type { Store } from '../object-store.ts';
import { postToWebhook } from '../admission/webhooks/call.ts';
import { clientOf, type WebhookClient } from '../admission/webhooks/webhook.ts';
import type { OutboundAgents } from '../outbound.ts';
import type { Conversion } from '../registry/definition.ts';
import { arrayAt, asObject, at, type JsonObject, type KubeObject, stringAt } from '../wire/json.ts';
import { ReasonlessError } from '../wire/status.ts';

export interface ConversionParts {
  readonly store: Store;
  readonly agents: OutboundAgents;
}

export interface WebhookConversionOptions extends ConversionParts {
  /** `spec.conversion.webhook` of the CRD. */
  readonly webhook: unknown;
  /** The version of the definition, and the one that is stored, as `group/version`. */
  readonly own: string;
  readonly storage: string;
  /** Prunes and defaults an object of the given apiVersion. */
  finish(object: KubeObject): void;
}

const TIMEOUT_SECONDS = 30;
/** Objects in one question. */
const BATCH = 250;

export function webhookConversion(options: WebhookConversionOptions): Conversion {
  const { own, storage, webhook, finish } = options;
  const client = clientOf(webhook);
  const converted = new WeakMap<KubeObject, KubeObject>();
  const reviewVersion = arrayAt(webhook, 'conversionReviewVersions').includes('v1') ? 'v1' : 'v1beta1';
  const find = (object: KubeObject, to: string): KubeObject => {
    if (object.apiVersion === to) return object;
    const found = converted.get(object);
    if (found === undefined) throw new Error(`an object of ${object.apiVersion} was not prepared for ${to}`);
    return found;
  };
  return {
    toStorage: (object) => find(object, storage),
    fromStorage: (object) => find(object, own),
    prepare: async (objects, direction) => {
      const to = direction === 'in' ? storage : own;
      const todo = objects.filter((object) => object.apiVersion !== to && !converted.has(object));
      for (let i = 0; i < todo.length; i += BATCH) {
        const batch = todo.slice(i, i + BATCH);
        const answers = await ask(options, client, reviewVersion, batch, to);
        answers.forEach((answer, j) => {
          const object = batch[j];
          if (object === undefined) return;
          finish(answer);
          converted.set(object, answer);
        });
      }
    },
  };
}

async function ask(
  parts: ConversionParts,
  client: WebhookClient,
  version: string,
  objects: readonly KubeObject[],
  desiredAPIVersion: string,
): Promise<KubeObject[]> {
  const uid = randomUUID();
  const [first] = objects;
  const fail = (why: string): ReasonlessError =>
    new ReasonlessError(
      500,
      `conversion webhook for ${first?.apiVersion ?? ''}, Kind=${first?.kind ?? ''} failed: ${why}`,
    );
  const body = JSON.stringify({
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion, objects },
  });
  let response: JsonObject;
  try {
    const target = { client, timeoutSeconds: TIMEOUT_SECONDS };
    const { status, text } = await postToWebhook(target, body, parts);
    if (status !== 200) throw new Error(`the server answered ${status}`);
    response = asObject(at(asObject(JSON.parse(text)), 'response')) ?? {};
  } catch (error) {
    throw fail(messageOf(error).replace(/^failed to call webhook: /, ''));
  }
  if (stringAt(response, 'uid') !== uid)
    throw fail(`expected response.uid="${uid}", got "${stringAt(response, 'uid')}"`);
  if (stringAt(response, 'result', 'status') !== 'Success')
    throw fail(stringAt(response, 'result', 'message') || 'unknown');
  const answers = arrayAt(response, 'convertedObjects').map((item) => asObject(item));
  if (answers.length !== objects.length)
    throw fail(`webhook returned ${answers.length} objects, expected ${objects.length}`);
  return objects.map((object, i) => checked(object, answers[i], desiredAPIVersion, i, fail));
}

/** A webhook may change labels and annotations, and everything but the other metadata. */
function checked(
  object: KubeObject,
  answer: JsonObject | undefined,
  apiVersion: string,
  i: number,
  fail: (why: string) => Error,
): KubeObject {
  if (answer === undefined) throw fail(`invalid converted object at index ${i}: not an object`);
  if (stringAt(answer, 'apiVersion') !== apiVersion)
    throw fail(
      `invalid converted object at index ${i}: invalid groupVersion (expected ${apiVersion}, received ${stringAt(answer, 'apiVersion')})`,
    );
  if (stringAt(answer, 'kind') !== object.kind)
    throw fail(
      `invalid converted object at index ${i}: invalid kind (expected ${object.kind}, received ${stringAt(answer, 'kind')})`,
    );
  for (const key of ['name', 'namespace', 'uid'] as const)
    if (stringAt(answer, 'metadata', key) !== (object.metadata[key] ?? ''))
      throw fail(`invalid metadata in converted object at index ${i}: metadata.${key} may not be changed`);
  const { labels, annotations } = asObject(answer['metadata']) ?? {};
  const { labels: _labels, annotations: _annotations, ...metadata } = object.metadata;
  return {
    ...answer,
    apiVersion,
    kind: object.kind,
    metadata: {
      ...metadata,
      ...(labels === undefined ? {} : { labels: labels as Record<string, string> }),
      ...(annotations === undefined ? {} : { annotations: annotations as Record<string, string> }),
    },
  };
}
