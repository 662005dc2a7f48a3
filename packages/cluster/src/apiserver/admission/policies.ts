/** ValidatingAdmissionPolicies: CEL rules that bindings put into force. */
import { StatusError, type StatusReason } from '@podvisor/base';
import type { Store } from '../../store/store.ts';
import { keyOf } from '../../store/types.ts';
import { celContext, evaluate } from '../crd/cel.ts';
import {
  arrayAt,
  asString,
  at,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';
import { forbiddenObject } from '../wire/status.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';
import { matcherOf } from '../wire/label-selector.ts';

const GROUP = 'admissionregistration.k8s.io';

export function validatingPolicies(store: Store): Plugin {
  return {
    validate: (attributes) => {
      if (attributes.definition.group === GROUP) return;
      const bindings = store.list(`${GROUP}/validatingadmissionpolicybindings`);
      if (bindings.length === 0) return;
      for (const { object: policy } of store.list(`${GROUP}/validatingadmissionpolicies`)) {
        if (!constrains(store, objectAt(policy, 'spec', 'matchConstraints'), attributes, true)) continue;
        for (const { object: binding } of bindings) {
          if (stringAt(binding, 'spec', 'policyName') !== policy.metadata.name) continue;
          if (constrains(store, objectAt(binding, 'spec', 'matchResources'), attributes, false))
            enforce(policy, binding, attributes);
        }
      }
    },
  };
}

/** Resource rules (needed in a policy, optional in a binding) and selectors. */
function constrains(store: Store, match: JsonObject, attributes: Attributes, needRules: boolean): boolean {
  const rules = arrayAt(match, 'resourceRules');
  if ((needRules || rules.length > 0) && !rules.some((rule) => covers(rule, attributes))) return false;
  if (arrayAt(match, 'excludeResourceRules').some((rule) => covers(rule, attributes))) return false;
  const { definition, namespace, object, oldObject } = attributes;
  const selector = at(match, 'namespaceSelector');
  if (selector !== undefined && selector !== null && definition.namespaced) {
    if (!matcherOf(selector)(store.latest(keyOf('', 'namespaces', '', namespace))?.object.metadata.labels))
      return false;
  }
  const chosen = at(match, 'objectSelector');
  return (
    chosen === undefined ||
    chosen === null ||
    [object, oldObject].some((o) => o !== undefined && matcherOf(chosen)(o.metadata.labels))
  );
}

function covers(rule: Json, { operation, definition, subresource, name }: Attributes): boolean {
  const has = (key: string, value: string): boolean => {
    const list = arrayAt(rule, key).map(asString);
    return list.includes('*') || list.includes(value);
  };
  const resource = subresource === '' ? definition.plural : `${definition.plural}/${subresource}`;
  const names = arrayAt(rule, 'resourceNames').map(asString);
  return (
    has('operations', operation) &&
    has('apiGroups', definition.group) &&
    has('apiVersions', definition.version) &&
    arrayAt(rule, 'resources')
      .map(asString)
      .some((r) => r === resource || r === '*/*' || (r === '*' && subresource === '')) &&
    (names.length === 0 || names.includes(name))
  );
}

function enforce(policy: KubeObject, binding: KubeObject, attributes: Attributes): void {
  const spec = objectAt(policy, 'spec');
  const context = celContext(attributes, { params: null, variables: {}, namespaceObject: null });
  const variables: Record<string, unknown> = {};
  context['variables'] = variables;
  for (const variable of arrayAt(spec, 'variables'))
    variables[stringAt(variable, 'name')] = evaluate(stringAt(variable, 'expression'), context);
  for (const condition of arrayAt(spec, 'matchConditions'))
    if (evaluate(stringAt(condition, 'expression'), context) !== true) return;
  for (const validation of arrayAt(spec, 'validations')) {
    const problem = failure(validation, context, stringAt(spec, 'failurePolicy') !== 'Ignore');
    if (problem !== undefined)
      act(policy, binding, attributes, problem, stringAt(validation, 'reason') || 'Invalid');
  }
}

function failure(
  validation: Json,
  context: Record<string, unknown>,
  failClosed: boolean,
): string | undefined {
  const expression = stringAt(validation, 'expression');
  try {
    if (evaluate(expression, context) === true) return undefined;
  } catch (error) {
    return failClosed
      ? `expression '${expression}' resulted in error: ${error instanceof Error ? error.message : String(error)}`
      : undefined;
  }
  const made = stringAt(validation, 'messageExpression');
  if (made !== '') {
    try {
      const text = evaluate(made, context);
      if (typeof text === 'string' && text.trim() !== '') return text;
    } catch {
      // A message that cannot be made falls back to the fixed one.
    }
  }
  return stringAt(validation, 'message') || `failed expression: ${expression}`;
}

function act(
  policy: KubeObject,
  binding: KubeObject,
  attributes: Attributes,
  problem: string,
  reason: string,
): void {
  const actions = arrayAt(binding, 'spec', 'validationActions').map(asString);
  const who = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  if (actions.includes('Warn')) attributes.warn(`Validation failed for ${who}: ${problem}`);
  if (!actions.includes('Deny')) return;
  const text = `${who} denied request: ${problem}`;
  const { message, details } = forbiddenObject(attributes.definition, attributes.name, text);
  throw new StatusError(reason as StatusReason, message, {
    details: { ...details, causes: [{ message: text }] },
  });
}
