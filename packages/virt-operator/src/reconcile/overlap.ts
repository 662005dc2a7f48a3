/**
 * What is installed while components of two versions run side by side. An update that fails stays there, and the old
 * version has to go on: virt-api is the last to change, so it is asked for what the old one answers, and components keep
 * the rights that the old ones use. When everything has rolled out, what is wanted is installed as it is. Pure.
 */
import type { KubernetesObject } from '@podvisor/api';
import { COMPONENT_RIGHTS, type PolicyRule, rule } from '../install/component-rights.ts';
import type { Manifest } from '../install/manifest.ts';
import { operatorClusterRules, operatorOwnRules } from '../install/operator-rights.ts';
import { nameOf } from '../install/ownership.ts';

export function overlapping(
  wanted: readonly Manifest[],
  live: ReadonlyMap<string, KubernetesObject>,
): readonly Manifest[] {
  return wanted.map((object) => {
    const found = live.get(nameOf(object));
    if (found === undefined) return object;
    switch (object.kind) {
      case 'MutatingWebhookConfiguration':
      case 'ValidatingWebhookConfiguration':
        return { ...object, webhooks: oldHooks(object, found) };
      case 'ClusterRole':
      case 'Role':
        return isOfComponent(object) ? { ...object, rules: allRules(object, found) } : object;
      default:
        return object;
    }
  });
}

interface Hook {
  readonly clientConfig?: { readonly caBundle?: string };
}

/** Those that are there, with the CA as it is now: certificates go on changing. */
function oldHooks(wanted: Manifest, live: KubernetesObject): readonly Hook[] {
  const [hooks, old] = [wanted, live].map(
    (object) => (object as { webhooks?: readonly Hook[] }).webhooks ?? [],
  );
  const caBundle = hooks?.[0]?.clientConfig?.caBundle;
  if (caBundle === undefined) return old ?? [];
  return (old ?? []).map((hook) => ({ ...hook, clientConfig: { ...hook.clientConfig, caBundle } }));
}

/** Users get what the new version gives them, at once. */
function isOfComponent({ metadata }: Manifest): boolean {
  return Object.keys(COMPONENT_RIGHTS).includes(metadata?.name ?? '');
}

/** Old rights that virt-operator does not have itself are gone: it may grant none of these. */
function allRules(wanted: Manifest, live: KubernetesObject): readonly object[] {
  const mayGrant = [...operatorClusterRules(), ...(wanted.kind === 'Role' ? operatorOwnRules() : [])];
  const own = rulesOf(wanted);
  const kept = rulesOf(live).flatMap((old) =>
    old.apiGroups.flatMap((group) =>
      old.resources.flatMap((resource) => {
        const verbs = old.verbs.filter(
          (verb) => !allows(own, group, resource, verb) && allows(mayGrant, group, resource, verb),
        );
        return verbs.length === 0 ? [] : [rule(group, [resource], verbs)];
      }),
    ),
  );
  return [...((wanted as { rules?: readonly object[] }).rules ?? []), ...kept];
}

/** Those for all objects of a kind; others are an administrator's patch, and stay as they are. */
function rulesOf(object: KubernetesObject): readonly PolicyRule[] {
  const { rules = [] } = object as { rules?: readonly Partial<PolicyRule>[] };
  return rules.flatMap(({ apiGroups, resources, verbs, resourceNames }) =>
    apiGroups === undefined || resources === undefined || verbs === undefined || resourceNames !== undefined
      ? []
      : [{ apiGroups, resources, verbs }],
  );
}

function allows(rules: readonly PolicyRule[], group: string, resource: string, verb: string): boolean {
  return rules.some(
    ({ apiGroups, resources, verbs, resourceNames }) =>
      resourceNames === undefined &&
      apiGroups.includes(group) &&
      resources.includes(resource) &&
      verbs.includes(verb),
  );
}
