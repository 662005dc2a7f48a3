/** Mutating and validating webhooks: which ones are asked, in which order, and what their answers do. */
import { StatusError } from '@podvisor/base';
import type { Store } from '../../store/store.ts';
import { decodeAs } from '../registry/decode.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { arrayAt, asString, at, cloneJson, type Json, type JsonObject, type KubeObject, objectAt, stringAt } from '../wire/json.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';
import { matchConditionsAllow } from './match-conditions.ts';
import { buildReview, readResponse, WebhookDenied } from './review.ts';
import { callWebhook, CallError, targetOf } from './webhook-client.ts';
import { isExempt, matchesRules, matchesSelectors } from './webhook-match.ts';

const GROUP = 'admissionregistration.k8s.io';

interface Hook {
  readonly name: string;
  readonly spec: JsonObject;
}

export function webhooks(store: Store): Plugin {
  const mutating = new HookList(store, `${GROUP}/mutatingwebhookconfigurations`);
  const validating = new HookList(store, `${GROUP}/validatingwebhookconfigurations`);
  return {
    mutate: (attributes) => mutateAll(store, mutating, attributes),
    validate: (attributes) => validateAll(store, validating, attributes),
  };
}

/** The webhooks of all configurations, in order of configuration name; made anew when one changes. */
class HookList {
  readonly #store: Store;
  readonly #collection: string;
  #hooks: readonly Hook[] | undefined;

  constructor(store: Store, collection: string) {
    this.#store = store;
    this.#collection = collection;
    store.subscribe(collection, () => {
      this.#hooks = undefined;
    });
  }

  matching(attributes: Attributes): readonly Hook[] {
    if (isExempt(attributes)) return [];
    this.#hooks ??= this.#store.list(this.#collection).flatMap(({ object }) => arrayAt(object, 'webhooks').map((spec) => ({ name: stringAt(spec, 'name'), spec: objectAt({ spec }, 'spec') })));
    return this.#hooks.filter(({ spec }) => matchesRules(arrayAt(spec, 'rules'), attributes));
  }
}

async function mutateAll(store: Store, list: HookList, attributes: Attributes): Promise<KubeObject | undefined> {
  const hooks = list.matching(attributes);
  if (hooks.length === 0) return undefined;
  let object = attributes.object;
  const again: { hook: Hook; seen: KubeObject | undefined }[] = [];
  for (const hook of hooks) {
    const before = object;
    object = await mutateOne(store, hook, { ...attributes, object });
    if (stringAt(hook.spec, 'reinvocationPolicy') === 'IfNeeded') again.push({ hook, seen: object });
    void before;
  }
  // A webhook that asked for it sees once more what others changed after it.
  for (const { hook, seen } of again) if (seen !== object) object = await mutateOne(store, hook, { ...attributes, object });
  return object;
}

async function mutateOne(store: Store, hook: Hook, attributes: Attributes): Promise<KubeObject | undefined> {
  const response = await call(store, hook, attributes);
  if (response === undefined || attributes.object === undefined) return attributes.object;
  const patch = stringAt(response, 'patch');
  if (patch === '') return attributes.object;
  try {
    return applyResponsePatch(hook, attributes, attributes.object, response, patch);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return failed(hook, error, attributes) ?? attributes.object;
  }
}

function applyResponsePatch({ name }: Hook, { definition }: Attributes, object: KubeObject, response: JsonObject, patch: string): KubeObject {
  const type = stringAt(response, 'patchType');
  if (type !== 'JSONPatch') throw new CallError(`received invalid webhook response: webhook returned response.patch but not response.patchType`.replace(/ but not.*/, type === '' ? ' but not response.patchType' : ` with unsupported patchType ${type}`));
  const text = Buffer.from(patch, 'base64').toString();
  let patched: JsonObject;
  try {
    patched = jsonPatch(text)(cloneJson(object));
  } catch (error) {
    const cause = error instanceof StatusError && error.cause instanceof Error ? error.cause.message : String(error instanceof Error ? error.message : error).replace('error decoding patch: ', '');
    throw new StatusError('InternalError', `Internal error occurred: ${cause}`, { details: { causes: [{ message: cause }] } });
  }
  void name;
  return definition.custom === undefined ? (decodeAs(definition.schema, patched, []) as KubeObject) : (patched as KubeObject);
}

async function validateAll(store: Store, list: HookList, attributes: Attributes): Promise<void> {
  const hooks = list.matching(attributes);
  if (hooks.length === 0) return;
  // Asked together, answered in order: the first refusal in the list is the one the client sees.
  const results = await Promise.allSettled(hooks.map((hook) => call(store, hook, attributes)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Calls one webhook; undefined when it does not apply or its failure is to be ignored. */
async function call(store: Store, hook: Hook, attributes: Attributes): Promise<JsonObject | undefined> {
  const { spec, name } = hook;
  if (!matchesSelectors(store, spec, attributes)) return undefined;
  if (!matchConditionsAllow(hook.name, arrayAt(spec, 'matchConditions'), attributes, stringAt(spec, 'failurePolicy') === 'Ignore')) return undefined;
  if (attributes.dryRun && !['None', 'NoneOnDryRun'].includes(stringAt(spec, 'sideEffects'))) {
    throw new StatusError('BadRequest', `admission webhook "${name}" does not support dry run`);
  }
  const version = arrayAt(spec, 'admissionReviewVersions').map(asString).find((v) => v === 'v1' || v === 'v1beta1') ?? 'v1';
  const seconds = Number(at(spec, 'timeoutSeconds') ?? 10);
  let response: JsonObject;
  try {
    const { uid, text } = buildReview(attributes, version);
    const target = targetOf(store, objectAt(spec, 'clientConfig'), seconds);
    response = readResponse(await callWebhook(target, text, seconds * 1000), uid, version);
  } catch (error) {
    if (error instanceof CallError) return failed(hook, error, attributes);
    throw error;
  }
  for (const warning of arrayAt(response, 'warnings')) attributes.warn(asString(warning));
  if (at(response, 'allowed') === true) return response;
  throw new WebhookDenied(name, objectAt(response, 'status'));
}

function failed({ spec, name }: Hook, error: CallError, _attributes: Attributes): undefined {
  if (stringAt(spec, 'failurePolicy') === 'Ignore') return undefined;
  const message = `failed calling webhook "${name}": ${error.message}`;
  throw new StatusError('InternalError', `Internal error occurred: ${message}`, { details: { causes: [{ message }] } });
}

export type { Json };
