/** ValidatingAdmissionPolicies: CEL rules that bindings put into force. */
import { messageOf, StatusError, type StatusReason } from '@podvisor/base';
import type { Store } from '../object-store.ts';
import { keyOf } from '@podvisor/store';
import type { Authorizer } from '../authz/authorizer.ts';
import { celContext, evaluate, toCel } from '../crd/cel/cel.ts';
import type { Registry } from '../registry/registry.ts';
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
import { askerOf } from './asker.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';
import { matcherOf } from '../wire/label-selector.ts';
import { coversKind, PolicyCandidates } from './policy-candidates.ts';
import { paramsOf } from './policy-params.ts';

const GROUP = 'admissionregistration.k8s.io';

export function validatingPolicies(store: Store, registry: Registry, authorizer: Authorizer): Plugin {
  const candidates = new PolicyCandidates(store);
  return {
    validate: (attributes) => {
      if (attributes.definition.group === GROUP) return;
      for (const { policy, bindings } of candidates.for(attributes)) {
        if (!constrains(store, objectAt(policy, 'spec', 'matchConstraints'), attributes, true)) continue;
        for (const binding of bindings) {
          if (constrains(store, objectAt(binding, 'spec', 'matchResources'), attributes, false))
            enforceWithParams({ store, registry, authorizer }, policy, binding, attributes);
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

function covers(rule: Json, attributes: Attributes): boolean {
  const names = arrayAt(rule, 'resourceNames').map(asString);
  return coversKind(rule, attributes) && (names.length === 0 || names.includes(attributes.name));
}

interface PolicyParts {
  readonly store: Store;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
}

function enforceWithParams(
  { store, registry, authorizer }: PolicyParts,
  policy: KubeObject,
  binding: KubeObject,
  attributes: Attributes,
): void {
  const params = paramsOf(store, registry, policy, binding, attributes);
  if (params.kind === 'failed') {
    if (failsClosed(policy)) act(policy, binding, attributes, params.message, 'Invalid');
    return;
  }
  const { namespace, definition } = attributes;
  const around = definition.namespaced
    ? store.latest(keyOf('', 'namespaces', '', namespace))?.object
    : undefined;
  for (const object of params.objects) {
    const extra = {
      params: celJson(object),
      namespaceObject: celJson(around),
      authorizer: askerOf(authorizer, attributes),
    };
    enforce(policy, binding, attributes, extra);
  }
}

function failsClosed(policy: KubeObject): boolean {
  return stringAt(policy, 'spec', 'failurePolicy') !== 'Ignore';
}

function celJson(object: KubeObject | undefined): unknown {
  return toCel(object, undefined);
}

function enforce(
  policy: KubeObject,
  binding: KubeObject,
  attributes: Attributes,
  extra: Record<string, unknown>,
): void {
  const spec = objectAt(policy, 'spec');
  const context = celContext(attributes, extra);
  context['variables'] = lazyVariables(arrayAt(spec, 'variables'), context);
  for (const condition of arrayAt(spec, 'matchConditions')) {
    const expression = stringAt(condition, 'expression');
    try {
      if (evaluate(expression, context) !== true) return;
    } catch (error) {
      if (failsClosed(policy))
        act(
          policy,
          binding,
          attributes,
          `expression '${expression}' resulted in error: ${messageOf(error)}`,
          'Invalid',
        );
      return;
    }
  }
  for (const validation of arrayAt(spec, 'validations')) {
    const problem = failure(validation, context, failsClosed(policy));
    if (problem !== undefined)
      act(policy, binding, attributes, problem, stringAt(validation, 'reason') || 'Invalid');
  }
}

/** A variable is worked out when it is first used: one that nobody needs may not fail anything. */
function lazyVariables(variables: readonly Json[], context: Record<string, unknown>): object {
  const values = {};
  for (const variable of variables) {
    const name = stringAt(variable, 'name');
    let known: { readonly value: unknown } | undefined;
    Object.defineProperty(values, name, {
      enumerable: true,
      get: () => {
        known ??= { value: evaluate(stringAt(variable, 'expression'), context) };
        return known.value;
      },
    });
  }
  return values;
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
