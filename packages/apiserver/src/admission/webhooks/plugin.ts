/**
 * Admission webhooks as a step of the chain. Mutating ones run one after the other, each seeing what the
 * last one made; those that ask for it run once more when a later one changed the object. Validating ones
 * run side by side, and the first refusal in their order is the answer.
 */
import { messageOf, StatusError, type StatusReason } from '@podvisor/base';
import { troubleLevel } from '@podvisor/kube';
import type { Authorizer } from '../../authz/authorizer.ts';
import type { Store } from '../../object-store.ts';
import type { OutboundAgents } from '../../outbound.ts';
import { jsonPatch } from '../../patch/json-patch.ts';
import { at, cloneJson, type JsonObject, type KubeObject, sortedText, stringAt } from '../../wire/json.ts';
import { forbiddenObject, internal } from '../../wire/status.ts';
import type { ApiServerLog } from '../../options.ts';
import { celContext } from '../../crd/cel/cel.ts';
import { askerOf } from '../asker.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin } from '../chain.ts';
import { callWebhook } from './call.ts';
import { WebhookConfigurations } from './configurations.ts';
import { selectorsMatch } from './match.ts';
import { type ReviewAnswer, reviewRequest } from './review.ts';
import type { Webhook } from './webhook.ts';

export interface WebhookParts {
  readonly store: Store;
  readonly agents: OutboundAgents;
  readonly log: ApiServerLog;
  /** For conditions that ask what the user may do. */
  readonly authorizer: Authorizer;
}

export function mutatingWebhooks(parts: WebhookParts): Plugin {
  const configurations = new WebhookConfigurations(parts.store, 'mutating');
  return {
    mutate: async (attributes) => {
      if (attributes.object === undefined) {
        // A deletion has nothing to change, but may be refused.
        for (const webhook of configurations.for(attributes)) await ask(webhook, attributes, parts);
        return undefined;
      }
      return await mutate(configurations.for(attributes), attributes, parts);
    },
  };
}

export function validatingWebhooks(parts: WebhookParts): Plugin {
  const configurations = new WebhookConfigurations(parts.store, 'validating');
  return {
    validate: async (attributes) => {
      const results = await Promise.allSettled(
        configurations.for(attributes).map((webhook) => ask(webhook, attributes, parts)),
      );
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  };
}

async function mutate(
  webhooks: readonly Webhook[],
  attributes: Attributes,
  parts: WebhookParts,
): Promise<KubeObject | undefined> {
  let object = attributes.object;
  const asked: { webhook: Webhook; saw: string }[] = [];
  const run = async (webhook: Webhook): Promise<void> => {
    const answer = await ask(webhook, { ...attributes, object }, parts);
    if (answer === undefined || object === undefined) return;
    if (answer.patch !== undefined) object = patched(object, answer.patch);
    if (webhook.reinvoke) asked.push({ webhook, saw: sortedText(object) });
  };
  for (const webhook of webhooks) await run(webhook);
  for (const { webhook, saw } of [...asked]) if (saw !== sortedText(object)) await run(webhook);
  return object;
}

function patched(object: KubeObject, patch: string): KubeObject {
  try {
    return jsonPatch(patch)(cloneJson(object)) as KubeObject;
  } catch (error) {
    // Not a failed call: whatever the failure policy says, an answer that cannot be used refuses the request.
    throw internal(messageOf(error));
  }
}

/** Undefined when the webhook was not asked, or failed and may be ignored. Throws to refuse. */
async function ask(
  webhook: Webhook,
  attributes: Attributes,
  parts: WebhookParts,
): Promise<ReviewAnswer | undefined> {
  if (!selectorsMatch(webhook, attributes, parts.store)) return undefined;
  if (!conditionsHold(webhook, attributes, parts.authorizer)) return undefined;
  const request = reviewRequest(attributes);
  if (attributes.dryRun && webhook.sideEffects !== 'None' && webhook.sideEffects !== 'NoneOnDryRun')
    throw new StatusError('BadRequest', `admission webhook "${webhook.name}" does not support dry run`);
  let answer: ReviewAnswer;
  try {
    answer = await callWebhook(webhook, request, parts);
  } catch (error) {
    if (webhook.failurePolicy === 'Fail')
      throw internal(`failed calling webhook "${webhook.name}": ${messageOf(error)}`);
    parts.log[troubleLevel()](
      { webhook: webhook.name, error: messageOf(error) },
      'webhook failed and is ignored',
    );
    return undefined;
  }
  for (const warning of answer.warnings) attributes.warn(warning);
  if (!answer.allowed) throw denial(webhook, answer.status);
  return answer;
}

function conditionsHold(webhook: Webhook, attributes: Attributes, authorizer: Authorizer): boolean {
  if (webhook.conditions.length === 0) return true;
  const { definition, name } = attributes;
  const variables = celContext(attributes, { authorizer: askerOf(authorizer, attributes) });
  const problems: string[] = [];
  for (const condition of webhook.conditions) {
    try {
      // One that does not hold decides, whatever the others say.
      if (!condition.holds(variables)) return false;
    } catch (error) {
      problems.push(`expression '${condition.expression}' resulted in error: ${messageOf(error)}`);
    }
  }
  if (problems.length === 0) return true;
  if (webhook.failurePolicy === 'Ignore') return false;
  throw forbiddenObject(definition, name, problems.join(', '));
}

/** A refusal keeps the webhook's status, code and details; only the message names the webhook. */
function denial(webhook: Webhook, status: JsonObject | undefined): StatusError {
  const message = stringAt(status, 'message');
  const reason = stringAt(status, 'reason');
  const code = Number(at(status, 'code') ?? 0);
  const by = `admission webhook "${webhook.name}" denied the request`;
  const text =
    message !== '' ? `${by}: ${message}` : reason !== '' ? `${by}: ${reason}` : `${by} without explanation`;
  const details = at(status, 'details');
  return new StatusError(reason as StatusReason, text, {
    code: code < 400 ? 400 : code,
    ...(details === undefined ? {} : { details: details as object }),
  });
}
