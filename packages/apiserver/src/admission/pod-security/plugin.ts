/**
 * Pod Security admission: Pods are held against the level that their namespace enforces; who makes a Pod, or
 * something that will make Pods, is warned where a label asks for that, and the audit log notes it. A change of
 * a namespace's labels warns of Pods that it would not let in.
 */
import type { Store } from '../../object-store.ts';
import { keyOf } from '@podvisor/store';
import { invalidObject } from '../../wire/field-errors.ts';
import { arrayAt, at, isObject, type Json, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import { forbiddenObject } from '../../wire/status.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin } from '../chain.ts';
import type { PodSecuritySettings } from '../configuration.ts';
import { templatePath } from '../pod-templates.ts';
import { inDetail, violations } from './evaluate.ts';
import { warningsFor } from './existing-pods.ts';
import {
  formatLevel,
  isSame,
  MODES,
  type NamespacePolicy,
  type ParsedPolicy,
  policyOf,
  PREFIX,
  strictness,
} from './levels.ts';
import type { PodLike } from './pod-parts.ts';

/** Subresources of a Pod that change nothing of what it may do. Any other carries a Pod. */
const HARMLESS = new Set(['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status']);

export function podSecurity(store: Store, settings: PodSecuritySettings): Plugin {
  return {
    validate: (attributes) => {
      const { operation, definition, subresource, object } = attributes;
      if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return;
      const resource = `${definition.group}/${definition.plural}`;
      if (resource === '/namespaces') {
        if (subresource === '') checkNamespace(store, settings, attributes, object);
        return;
      }
      const isPod = resource === '/pods';
      const path = templatePath(definition);
      if (isPod ? HARMLESS.has(subresource) : path === undefined || subresource !== '') return;
      const exempt = exemptionOf(settings, attributes, isPod ? object : at(object, ...(path ?? [])));
      if (exempt !== undefined) {
        attributes.annotate?.(`${PREFIX}exempt`, exempt);
        return;
      }
      const namespace = store.latest(keyOf('', 'namespaces', '', attributes.namespace))?.object;
      const parsed = policyOf(labelsOf(namespace), settings.defaults);
      if (isPod) checkPod(attributes, object, parsed);
      else {
        const template = at(object, ...(path ?? []));
        if (isObject(template)) evaluate(attributes, template, parsed.policy, false);
      }
    },
  };
}

function exemptionOf(
  { exemptions: { namespaces, usernames, runtimeClasses } }: PodSecuritySettings,
  { namespace, user }: Attributes,
  pod: Json | undefined,
): 'namespace' | 'user' | 'runtimeClass' | undefined {
  if (namespaces.includes(namespace)) return 'namespace';
  if (usernames.includes(user.username)) return 'user';
  return runtimeClasses.includes(stringAt(pod, 'spec', 'runtimeClassName')) ? 'runtimeClass' : undefined;
}

function checkPod(attributes: Attributes, pod: KubeObject, { policy, errors }: ParsedPolicy): void {
  const { operation, oldObject } = attributes;
  if (operation === 'UPDATE' && oldObject !== undefined && !isSignificant(pod, oldObject)) return;
  if (errors.length > 0)
    attributes.annotate?.(
      `${PREFIX}error`,
      `Failed to parse policy: ${errors.map(({ field, message }) => `${field}: ${message}`).join(', ')}`,
    );
  evaluate(attributes, pod, policy, true);
}

/** Throws when the Pod breaks what is enforced; otherwise warns of what the labels ask to be warned of. */
function evaluate(attributes: Attributes, pod: PodLike, policy: NamespacePolicy, enforces: boolean): void {
  const { definition, name } = attributes;
  if (enforces) {
    attributes.annotate?.(`${PREFIX}enforce-policy`, formatLevel(policy.enforce));
  }
  const audited = violations(policy.audit, pod);
  if (audited.length > 0)
    attributes.annotate?.(
      `${PREFIX}audit-violations`,
      `would violate PodSecurity "${formatLevel(policy.audit)}": ${inDetail(audited)}`,
    );
  const refused = enforces ? violations(policy.enforce, pod) : [];
  if (refused.length > 0)
    throw forbiddenObject(
      definition,
      name || stringAt(pod, 'metadata', 'name'),
      `violates PodSecurity "${formatLevel(policy.enforce)}": ${inDetail(refused)}`,
    );
  const warned = violations(policy.warn, pod);
  if (warned.length > 0)
    attributes.warn(`would violate PodSecurity "${formatLevel(policy.warn)}": ${inDetail(warned)}`);
}

/** Of what the checks look at, an update may only change images and add ephemeral containers. */
function isSignificant(pod: KubeObject, old: KubeObject): boolean {
  const images = (object: KubeObject, key: string): (readonly [string, string])[] =>
    arrayAt(object, 'spec', key).map((container: Json) => [
      stringAt(container, 'name'),
      stringAt(container, 'image'),
    ]);
  return ['initContainers', 'containers', 'ephemeralContainers'].some((key) => {
    const before = new Map(images(old, key));
    const now = images(pod, key);
    const isFewer = key !== 'ephemeralContainers' && now.length !== before.size;
    return isFewer || now.some(([name, image]) => before.get(name) !== image);
  });
}

function checkNamespace(
  store: Store,
  { exemptions, defaults }: PodSecuritySettings,
  { operation, name, oldObject, warn }: Attributes,
  namespace: KubeObject,
): void {
  const now = policyOf(labelsOf(namespace), defaults);
  const before = operation === 'UPDATE' ? policyOf(labelsOf(oldObject), defaults) : undefined;
  const isNewError = JSON.stringify(now.errors) !== JSON.stringify(before?.errors ?? []);
  if (now.errors.length > 0 && isNewError) throw invalidObject('Namespace', '', name, now.errors);
  const { enforce } = now.policy;
  if (before !== undefined) {
    const had = before.policy.enforce;
    if (isSame(enforce, had) || enforce.level === 'privileged') return;
    if (enforce.version === had.version && strictness(enforce) <= strictness(had)) return;
  }
  const own = name || (namespace.metadata.name ?? '');
  if (exemptions.namespaces.includes(own)) {
    const ignored = MODES.filter(
      (mode) =>
        now.policy[mode].level !== 'privileged' &&
        [mode, `${mode}-version`].some((label) => labelsOf(namespace)[`${PREFIX}${label}`] !== undefined),
    ).map((mode) => `${mode}=${formatLevel(now.policy[mode])}`);
    if (ignored.length > 0)
      warn(
        `namespace "${own}" is exempt from Pod Security, and the policy (${ignored.join(', ')}) will be ignored`,
      );
    return;
  }
  if (before === undefined) return;
  const pods = store
    .list('/pods', `/pods/${own}/`)
    .flatMap(({ key }) => store.latest(key)?.object ?? [])
    .filter((pod) => !exemptions.runtimeClasses.includes(stringAt(pod, 'spec', 'runtimeClassName')));
  for (const text of warningsFor(own, enforce, pods)) warn(text);
}

function labelsOf(namespace: KubeObject | undefined): Readonly<Record<string, unknown>> {
  return objectAt(namespace, 'metadata', 'labels');
}
