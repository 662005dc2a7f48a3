/** CEL conditions under which the API server asks a webhook at all. */
import { labels, serviceAccounts, serviceAccountUser } from '../names.ts';
import { guardedPodApps, guardedPodLabels, guardedPodOwners } from '../rules/other/pod-identity.ts';
import type { WebhookEntry } from './webhooks.ts';

/** Kubernetes' own controllers: they take finalizers off while objects are being deleted. */
const SYSTEM_USERS = 'system:serviceaccount:kube-system:';

/** All of them, where they have no accounts of their own. */
const CONTROLLER_MANAGER = 'system:kube-controller-manager';

/** Something of this name appears, goes or changes. */
const changes = (field: string): string =>
  `has(object.${field}) != has(oldObject.${field}) || (has(object.${field}) && object.${field} != oldObject.${field})`;

export interface MatchCondition {
  readonly name: string;
  /** CEL; the webhook is asked when it is true. */
  readonly expression: string;
}

/** The match conditions (admissionregistration.k8s.io/v1) of an entry for an installation in `namespace`. */
export function webhookMatchConditions(webhook: WebhookEntry, namespace: string): readonly MatchCondition[] {
  const accounts = (skips: WebhookEntry['skips']): string =>
    Object.values(serviceAccounts)
      .filter((account) => skips === 'all' || account !== serviceAccounts.handler)
      .map((account) => `'${serviceAccountUser(namespace, account)}'`)
      .join(', ');
  const user = 'request.userInfo.username';
  const system = `(${user}.startsWith('${SYSTEM_USERS}') || ${user} == '${CONTROLLER_MANAGER}')`;
  if (webhook.asks === 'podIdentity') return podIdentityConditions(namespace, system);
  const conditions: MatchCondition[] = [];
  if (webhook.skips !== undefined) {
    const expression = `!(${user} in [${accounts(webhook.skips)}]) && !${system}`;
    conditions.push({ name: 'not-from-our-components', expression });
  }
  if (webhook.rules.some(({ operations }) => operations.includes('UPDATE'))) {
    const own = `${user} in [${accounts('all')}]`;
    const expression = `!has(object.metadata.deletionTimestamp) || (!(${own}) && !${system} && (${changes('spec')} || ${changes('status')}))`;
    conditions.push({ name: 'not-needed-for-deletion', expression });
  }
  return conditions;
}

/**
 * Kubernetes' controllers make Pods from templates of tenants, so they are asked when they make one; what they change
 * of a Pod later (an owner that is gone) is theirs. A dying Pod is asked about as well: nothing of this is needed for
 * its deletion, and with a finalizer it may stay for long.
 */
function podIdentityConditions(namespace: string, system: string): readonly MatchCondition[] {
  const controller = serviceAccountUser(namespace, serviceAccounts.controller);
  const claims = (pod: string): string => {
    const own = `${pod}.metadata.labels`;
    const list = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
    const labelled = [
      ...guardedPodLabels.map((key) => `'${key}' in ${own}`),
      `('${labels.app}' in ${own} && ${own}['${labels.app}'] in [${list(guardedPodApps)}])`,
    ].join(' || ');
    const owners = `${pod}.metadata.ownerReferences`;
    const owned = `${owners}.exists(owner, owner.kind in [${list(guardedPodOwners)}])`;
    return `((has(${own}) && (${labelled})) || (has(${owners}) && ${owned}))`;
  };
  const made = claims('object');
  const changed = `((${made} || ${claims('oldObject')}) && (${changes('metadata.labels')} || ${changes('metadata.ownerReferences')}))`;
  return [
    { name: 'not-from-virt-controller', expression: `request.userInfo.username != '${controller}'` },
    {
      name: 'identity-of-a-virtual-machine',
      expression: `request.operation == 'CREATE' ? ${made} : (!${system} && ${changed})`,
    },
  ];
}
