/**
 * What each controller may write, under the account that Kubernetes gives it (`system:controller:NAME`, service
 * account NAME of `kube-system`). A fault in one of them, or a tenant's object that leads it astray, reaches what that
 * one uses and nothing else. Caches are shared: they are read as `system:kube-controller-manager`, which may do
 * nothing but list and watch.
 *
 * Only the garbage collector and the end of a namespace touch every kind, also those that come later; what they may
 * do to them is in their names. Nobody here makes roles, bindings, tokens, certificates or webhooks. Pure data;
 * `rights.test.ts` of the embedded home compares it with what was asked for.
 */
import type { KubernetesObject } from '@podvisor/api';

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const rule = (group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [group],
  resources,
  verbs,
});
const EVENTS = rule('', ['events'], ['create', 'patch']);
const PODS = rule('', ['pods'], ['create', 'delete', 'patch']);
const REVISIONS = rule('apps', ['controllerrevisions'], ['create', 'delete', 'patch']);
const SNAPSHOTS = 'snapshot.storage.k8s.io';

export const CONTROLLER_RIGHTS = {
  'generic-garbage-collector': [rule('*', ['*'], ['get', 'delete', 'patch'])],
  'namespace-controller': [
    rule('*', ['*'], ['list', 'delete']),
    rule('', ['namespaces/finalize'], ['update']),
    rule('', ['namespaces/status'], ['patch']),
  ],
  'service-account-controller': [
    rule('', ['serviceaccounts'], ['create']),
    rule('', ['configmaps'], ['create', 'update']),
  ],
  'persistent-volume-binder': [
    rule('', ['persistentvolumes'], ['create', 'delete', 'patch']),
    rule('', ['persistentvolumeclaims'], ['get', 'patch']),
    rule('', ['persistentvolumes/status', 'persistentvolumeclaims/status'], ['patch']),
    EVENTS,
  ],
  'snapshot-controller': [
    rule(SNAPSHOTS, ['volumesnapshots'], ['get', 'patch']),
    rule(SNAPSHOTS, ['volumesnapshotcontents'], ['create', 'delete', 'patch']),
    rule(SNAPSHOTS, ['volumesnapshots/status', 'volumesnapshotcontents/status'], ['patch']),
    EVENTS,
  ],
  'pod-garbage-collector': [
    rule('', ['nodes'], ['get']),
    rule('', ['pods'], ['delete']),
    rule('', ['pods/status'], ['patch']),
  ],
  'node-controller': [rule('', ['nodes', 'nodes/status', 'pods/status'], ['patch']), EVENTS],
  'taint-eviction-controller': [rule('', ['pods'], ['delete']), EVENTS],
  'replicaset-controller': [PODS, rule('apps', ['replicasets/status'], ['update']), EVENTS],
  'deployment-controller': [
    rule('apps', ['replicasets'], ['create', 'delete', 'get', 'patch']),
    rule('apps', ['deployments'], ['patch']),
    rule('apps', ['deployments/status'], ['update']),
    EVENTS,
  ],
  'daemon-set-controller': [PODS, REVISIONS, rule('apps', ['daemonsets/status'], ['update']), EVENTS],
  'statefulset-controller': [
    PODS,
    REVISIONS,
    rule('', ['persistentvolumeclaims'], ['create']),
    rule('apps', ['statefulsets/status'], ['update']),
    EVENTS,
  ],
  'job-controller': [
    PODS,
    rule('batch', ['jobs'], ['delete']),
    rule('batch', ['jobs/status'], ['update']),
    EVENTS,
  ],
  'cronjob-controller': [
    rule('batch', ['jobs'], ['create', 'delete']),
    rule('batch', ['cronjobs/status'], ['update']),
    EVENTS,
  ],
  'horizontal-pod-autoscaler': [
    rule('*', ['*/scale'], ['get', 'patch']),
    rule('', ['pods'], ['list']),
    rule('metrics.k8s.io', ['pods'], ['list']),
    rule('autoscaling', ['horizontalpodautoscalers/status'], ['update']),
    EVENTS,
  ],
  'disruption-controller': [
    rule('*', ['*/scale'], ['get']),
    rule('policy', ['poddisruptionbudgets/status'], ['update']),
  ],
  'resourcequota-controller': [rule('', ['resourcequotas/status'], ['update'])],
  'endpoint-controller': [
    rule('', ['endpoints'], ['create', 'delete', 'update']),
    rule('discovery.k8s.io', ['endpointslices'], ['create', 'delete', 'update']),
  ],
  'service-controller': [rule('', ['services/status'], ['update']), EVENTS],
  // Of this home: components that are processes have a Deployment or a DaemonSet that nobody makes Pods of.
  'home-component-controller': [
    rule('apps', ['deployments/status', 'daemonsets/status'], ['update']),
    rule('kubevirt.io', ['kubevirts'], ['list', 'watch']),
    rule('kubevirt.io', ['kubevirts/status'], ['update']),
  ],
} as const satisfies Readonly<Record<string, readonly PolicyRule[]>>;

export type ControllerAccount = keyof typeof CONTROLLER_RIGHTS;

export const CONTROLLER_ACCOUNTS = Object.keys(CONTROLLER_RIGHTS) as readonly ControllerAccount[];

/** Namespace of the accounts. */
export const CONTROLLERS_NAMESPACE = 'kube-system';

/** Those that make Pods, or what Pods are made of, from templates of others. */
export const TEMPLATE_CONTROLLERS: readonly ControllerAccount[] = [
  'replicaset-controller',
  'deployment-controller',
  'daemon-set-controller',
  'statefulset-controller',
  'job-controller',
  'cronjob-controller',
];

const GROUP = 'rbac.authorization.k8s.io';
const METADATA = {
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
};

/** A ClusterRole and its binding for each. */
export function controllerRoles(): KubernetesObject[] {
  return Object.entries(CONTROLLER_RIGHTS).flatMap(([account, rules]) => {
    const metadata = { ...METADATA, name: `system:controller:${account}` };
    return [
      { apiVersion: `${GROUP}/v1`, kind: 'ClusterRole', metadata, rules },
      {
        apiVersion: `${GROUP}/v1`,
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: metadata.name },
        subjects: [{ kind: 'ServiceAccount', namespace: CONTROLLERS_NAMESPACE, name: account }],
      },
    ];
  });
}
