/** A webhook as configured, read once per change of its configuration. */
import { arrayAt, asString, at, type JsonObject, objectAt, stringAt } from '../../wire/json.ts';
import { type LabelMatcher, matchAll, matcherOf } from '../../wire/label-selector.ts';
import { type Condition, matchCondition } from './match-conditions.ts';

export interface Rule {
  readonly operations: readonly string[];
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

export interface Webhook {
  readonly name: string;
  readonly rules: readonly Rule[];
  readonly namespaceSelector: LabelMatcher;
  readonly objectSelector: LabelMatcher;
  readonly conditions: readonly Condition[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly timeoutSeconds: number;
  readonly reinvoke: boolean;
  /** Exact: only the group versions that the rules name; otherwise also their equivalents. */
  readonly exact: boolean;
  readonly sideEffects: string;
  readonly client: WebhookClient;
}

/** Where a webhook is: a URL, or a Service. */
export interface WebhookClient {
  readonly url: string;
  readonly caBundle: string;
  readonly service:
    | { readonly namespace: string; readonly name: string; readonly path: string; readonly port: number }
    | undefined;
}

/** All webhooks of one configuration object, in its order. */
export function webhooksOf(configuration: JsonObject): readonly Webhook[] {
  return arrayAt(configuration, 'webhooks').map((hook) => ({
    name: stringAt(hook, 'name'),
    rules: arrayAt(hook, 'rules').map((rule) => ({
      operations: arrayAt(rule, 'operations').map(asString),
      groups: arrayAt(rule, 'apiGroups').map(asString),
      versions: arrayAt(rule, 'apiVersions').map(asString),
      resources: arrayAt(rule, 'resources').map(asString),
      scope: stringAt(rule, 'scope') || '*',
    })),
    namespaceSelector: selector(at(hook, 'namespaceSelector')),
    objectSelector: selector(at(hook, 'objectSelector')),
    conditions: arrayAt(hook, 'matchConditions').map((condition) =>
      matchCondition(stringAt(condition, 'name'), stringAt(condition, 'expression')),
    ),
    failurePolicy: stringAt(hook, 'failurePolicy') === 'Ignore' ? 'Ignore' : 'Fail',
    timeoutSeconds: Number(at(hook, 'timeoutSeconds') ?? 10),
    reinvoke: stringAt(hook, 'reinvocationPolicy') === 'IfNeeded',
    exact: stringAt(hook, 'matchPolicy') === 'Exact',
    sideEffects: stringAt(hook, 'sideEffects'),
    client: clientOf(hook),
  }));
}

/** Reads `clientConfig` of a webhook. */
export function clientOf(hook: unknown): WebhookClient {
  return {
    url: stringAt(hook, 'clientConfig', 'url'),
    caBundle: stringAt(hook, 'clientConfig', 'caBundle'),
    service: serviceOf(hook),
  };
}

function serviceOf(hook: unknown): WebhookClient['service'] {
  if (at(hook, 'clientConfig', 'service') === undefined) return undefined;
  const service = objectAt(hook, 'clientConfig', 'service');
  return {
    namespace: stringAt(service, 'namespace'),
    name: stringAt(service, 'name'),
    path: stringAt(service, 'path'),
    port: Number(service['port'] ?? 443),
  };
}

function selector(value: unknown): LabelMatcher {
  return value === undefined || value === null ? matchAll : matcherOf(value);
}
