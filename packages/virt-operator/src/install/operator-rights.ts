/**
 * What virt-operator may do: write what it installs, by kind, and everything that it grants to others, because
 * Kubernetes lets nobody grant what they have not. Pure.
 */
import type { KubernetesObject } from '@podvisor/api';
import { EVENTS, FOLLOW, type PolicyRule, rule } from './component-rights.ts';
import { rbacObjects } from './rbac.ts';

const WRITE = ['get', ...FOLLOW, 'create', 'patch', 'delete'];

/** In all namespaces. */
export function operatorClusterRules(): PolicyRule[] {
  return [
    rule('kubevirt.io', ['kubevirts'], ['get', ...FOLLOW, 'patch']),
    rule('kubevirt.io', ['kubevirts/status'], ['update', 'patch']),
    rule('kubevirt.io', ['kubevirts/finalizers'], ['update']),
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], WRITE),
    rule('apiregistration.k8s.io', ['apiservices'], WRITE),
    rule(
      'admissionregistration.k8s.io',
      [
        'mutatingwebhookconfigurations',
        'validatingwebhookconfigurations',
        'validatingadmissionpolicies',
        'validatingadmissionpolicybindings',
      ],
      WRITE,
    ),
    rule(
      'rbac.authorization.k8s.io',
      ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'],
      WRITE,
    ),
    rule('scheduling.k8s.io', ['priorityclasses'], WRITE),
    rule('monitoring.coreos.com', ['servicemonitors', 'prometheusrules'], WRITE),
    // Marks of our own are found by label, wherever they are.
    rule('', ['serviceaccounts', 'services'], FOLLOW),
    rule('apps', ['deployments', 'daemonsets'], FOLLOW),
    rule('policy', ['poddisruptionbudgets'], FOLLOW),
    rule('', ['nodes'], ['get', ...FOLLOW, 'patch']),
    // Uninstallation ends guests.
    rule(
      'kubevirt.io',
      [
        'virtualmachines',
        'virtualmachineinstances',
        'virtualmachineinstancereplicasets',
        'virtualmachineinstancemigrations',
      ],
      ['list', 'delete', 'patch'],
    ),
    rule('pool.kubevirt.io', ['virtualmachinepools'], ['list', 'delete', 'patch']),
    // And leaves DataVolumes alone.
    rule('cdi.kubevirt.io', ['datavolumes'], ['list']),
    EVENTS,
    ...granted('ClusterRole'),
  ];
}

/** In its own namespace. */
export function operatorOwnRules(): PolicyRule[] {
  return [
    rule('', ['serviceaccounts', 'services', 'secrets', 'configmaps'], WRITE),
    rule('', ['pods', 'endpoints'], ['get', ...FOLLOW]),
    rule('apps', ['deployments', 'daemonsets'], WRITE),
    rule('policy', ['poddisruptionbudgets'], WRITE),
    rule('coordination.k8s.io', ['leases'], ['get', ...FOLLOW, 'create', 'update', 'patch', 'delete']),
    ...granted('Role', 'kubevirt'),
  ];
}

/** Where virt-api reads whom the API server trusts. */
export function operatorSystemRules(): PolicyRule[] {
  return granted('Role', 'kube-system');
}

function granted(kind: 'ClusterRole' | 'Role', namespace?: string): PolicyRule[] {
  return rbacObjects('kubevirt', true)
    .filter((object) => object.kind === kind && object.metadata?.namespace === namespace)
    .flatMap((object) => (object as KubernetesObject & { readonly rules: readonly PolicyRule[] }).rules);
}
