/** Does a webhook want to be asked about this request? By its rules, and by its selectors. */
import type { Store } from '../../object-store.ts';
import { keyOf } from '@podvisor/store';
import type { KubeObject } from '../../wire/json.ts';
import type { Labels } from '../../wire/label-selector.ts';
import type { Attributes } from '../attributes.ts';
import type { Rule, Webhook } from './webhook.ts';

/** Webhook configurations themselves are never sent to webhooks: a broken one could not be mended. */
const EXEMPT = new Set(['validatingwebhookconfigurations', 'mutatingwebhookconfigurations']);

/** The same for all requests with this verb, resource and subresource. */
export function rulesMatch({ rules, exact }: Webhook, attributes: Attributes): boolean {
  const { definition } = attributes;
  if (definition.group === 'admissionregistration.k8s.io' && EXEMPT.has(definition.plural)) return false;
  return rules.some((rule) => ruleMatches(rule, attributes, exact));
}

export function selectorsMatch(webhook: Webhook, attributes: Attributes, store: Store): boolean {
  if (!namespaceMatches(webhook, attributes, store)) return false;
  const { object, oldObject } = attributes;
  const labelled = (candidate: KubeObject | undefined): boolean =>
    candidate !== undefined && webhook.objectSelector(candidate.metadata.labels);
  return object === undefined && oldObject === undefined
    ? webhook.objectSelector(undefined)
    : labelled(object) || labelled(oldObject);
}

function ruleMatches(
  rule: Rule,
  { operation, definition, subresource }: Attributes,
  exact: boolean,
): boolean {
  const { group, version, plural, namespaced } = definition;
  if (!any(rule.operations, operation) || !any(rule.groups, group)) return false;
  // Another served version of the same kind is the same object, unless the rule wants exactly its own.
  if (exact && !any(rule.versions, version)) return false;
  if (rule.scope !== '*' && (rule.scope === 'Namespaced') !== namespaced) return false;
  return rule.resources.some((pattern) => resourceMatches(pattern, plural, subresource));
}

function any(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

function resourceMatches(pattern: string, plural: string, subresource: string): boolean {
  if (pattern === '*/*') return true;
  const [resource = '', sub = ''] = pattern.split('/');
  const resourceFits = resource === '*' || resource === plural;
  return resourceFits && (sub === subresource || (sub === '*' && pattern.includes('/')));
}

/** Cluster-scoped objects have no namespace and always match; a Namespace is matched by its own labels. */
function namespaceMatches(webhook: Webhook, attributes: Attributes, store: Store): boolean {
  const { definition, namespace, name, object, oldObject } = attributes;
  if (definition.group === '' && definition.plural === 'namespaces')
    return webhook.namespaceSelector((object ?? oldObject ?? labelsOf(store, name))?.metadata.labels);
  if (!definition.namespaced) return true;
  return webhook.namespaceSelector(labelsOf(store, namespace)?.metadata.labels as Labels);
}

function labelsOf(store: Store, namespace: string): KubeObject | undefined {
  return store.latest(keyOf('', 'namespaces', '', namespace))?.object;
}
