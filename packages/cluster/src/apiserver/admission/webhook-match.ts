/** Whether a webhook is asked about a request: rules, selectors, match conditions. */
import type { Store } from '../../store/store.ts';
import { keyOf } from '../../store/types.ts';
import { arrayAt, asString, type Json, type JsonObject, stringAt, at } from '../wire/json.ts';
import { matcherOf, selectsEverything } from '../wire/label-selector.ts';
import type { Attributes } from './attributes.ts';

/** Admission must not be able to lock itself out. */
const EXEMPT = new Set(['mutatingwebhookconfigurations', 'validatingwebhookconfigurations', 'mutatingadmissionpolicies', 'mutatingadmissionpolicybindings', 'validatingadmissionpolicies', 'validatingadmissionpolicybindings']);

export function isExempt({ definition }: Attributes): boolean {
  return definition.group === 'admissionregistration.k8s.io' && EXEMPT.has(definition.plural);
}

export function matchesRules(rules: readonly Json[], attributes: Attributes): boolean {
  return rules.some((rule) => matchesRule(rule, attributes));
}

function matchesRule(rule: Json, { operation, definition, subresource }: Attributes): boolean {
  const has = (key: string, value: string): boolean => {
    const list = arrayAt(rule, key).map(asString);
    return list.includes('*') || list.includes(value);
  };
  if (!has('operations', operation) || !has('apiGroups', definition.group) || !has('apiVersions', definition.version)) return false;
  const scope = stringAt(rule, 'scope') || '*';
  if (scope !== '*' && (scope === 'Namespaced') !== definition.namespaced) return false;
  return arrayAt(rule, 'resources').some((resource) => matchesResource(asString(resource), definition.plural, subresource));
}

function matchesResource(pattern: string, plural: string, subresource: string): boolean {
  const [resource = '', sub = ''] = pattern.split('/');
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource || (pattern === '*' && subresource === ''));
}

/** Namespace and object selectors. */
export function matchesSelectors(store: Store, webhook: JsonObject, attributes: Attributes): boolean {
  return matchesNamespace(store, at(webhook, 'namespaceSelector'), attributes) && matchesObject(at(webhook, 'objectSelector'), attributes);
}

function matchesNamespace(store: Store, selector: Json | undefined, { definition, namespace, name, object, oldObject }: Attributes): boolean {
  if (selector === undefined || selector === null || selectsEverything(selector)) return true;
  const isNamespace = definition.group === '' && definition.plural === 'namespaces';
  if (!definition.namespaced && !isNamespace) return true;
  const labels = isNamespace ? (object ?? oldObject)?.metadata.labels : store.latest(keyOf('', 'namespaces', '', namespace || name))?.object.metadata.labels;
  return matcherOf(selector)(labels);
}

function matchesObject(selector: Json | undefined, { object, oldObject }: Attributes): boolean {
  if (selector === undefined || selector === null || selectsEverything(selector)) return true;
  const matcher = matcherOf(selector);
  return [object, oldObject].some((candidate) => candidate !== undefined && matcher(candidate.metadata.labels));
}
