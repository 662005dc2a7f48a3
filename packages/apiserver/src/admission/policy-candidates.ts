/**
 * The policies that a kind of request may concern, with their bindings. Most requests concern none: looked for anew
 * with each of them, every rule of every policy was compared, and policies at rest were made of their texts again.
 */
import type { Store } from '../object-store.ts';
import { arrayAt, asString, type Json, type KubeObject, stringAt } from '../wire/json.ts';
import type { Attributes } from './attributes.ts';

const POLICIES = 'admissionregistration.k8s.io/validatingadmissionpolicies';
const BINDINGS = 'admissionregistration.k8s.io/validatingadmissionpolicybindings';
/** Kinds of requests that are remembered; CRDs come and go, and each has its own. */
const MAX_REQUESTS = 4096;

export interface Candidate {
  readonly policy: KubeObject;
  readonly bindings: readonly KubeObject[];
}

/** Forgets everything when a policy or binding changes. */
export class PolicyCandidates {
  readonly #store: Store;
  readonly #byRequest = new Map<string, readonly Candidate[]>();

  constructor(store: Store) {
    this.#store = store;
    for (const collection of [POLICIES, BINDINGS]) store.subscribe(collection, () => this.#byRequest.clear());
  }

  /** Those with a binding and with a rule for this kind of request; selectors and names are still to be looked at. */
  for(attributes: Attributes): readonly Candidate[] {
    const { operation, subresource, definition } = attributes;
    const request = [operation, definition.apiVersion, definition.plural, subresource].join(' ');
    let found = this.#byRequest.get(request);
    if (found === undefined) {
      found = this.#find(attributes);
      if (this.#byRequest.size >= MAX_REQUESTS) this.#byRequest.clear();
      this.#byRequest.set(request, found);
    }
    return found;
  }

  #find(attributes: Attributes): readonly Candidate[] {
    const bindings = this.#store.list(BINDINGS).map(({ object }) => object);
    return this.#store.list(POLICIES).flatMap(({ object: policy }) => {
      const rules = arrayAt(policy, 'spec', 'matchConstraints', 'resourceRules');
      if (!rules.some((rule) => coversKind(rule, attributes))) return [];
      const own = bindings.filter((one) => stringAt(one, 'spec', 'policyName') === policy.metadata.name);
      return own.length === 0 ? [] : [{ policy, bindings: own }];
    });
  }
}

/** Whether a rule names this kind of request; which objects of it is for `resourceNames` to say. */
export function coversKind(rule: Json, { operation, definition, subresource }: Attributes): boolean {
  const has = (key: string, value: string): boolean => {
    const list = arrayAt(rule, key).map(asString);
    return list.includes('*') || list.includes(value);
  };
  const resource = subresource === '' ? definition.plural : `${definition.plural}/${subresource}`;
  return (
    has('operations', operation) &&
    has('apiGroups', definition.group) &&
    has('apiVersions', definition.version) &&
    arrayAt(rule, 'resources')
      .map(asString)
      .some((r) => r === resource || r === '*/*' || (r === '*' && subresource === ''))
  );
}
