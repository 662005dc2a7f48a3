/**
 * Who may do what: the service accounts of the three components, and the roles that users get through
 * `admin`, `edit` and `view` (behaviour book 2.2). Kubernetes' own roles belong to the API server.
 */
import type { KubernetesObject } from '@podvisor/api';
import { NAMESPACE } from '../pki-bootstrap/identities.ts';

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const CHANGE = ['update', 'patch'];
const ALL = ['*'];

const KUBEVIRT_GROUPS = [
  'kubevirt.io',
  'pool.kubevirt.io',
  'snapshot.kubevirt.io',
  'export.kubevirt.io',
  'clone.kubevirt.io',
  'instancetype.kubevirt.io',
  'migrations.kubevirt.io',
  'backup.kubevirt.io',
  'plugin.kubevirt.io',
];

const rule = (
  apiGroups: string | readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
): PolicyRule => ({
  apiGroups: typeof apiGroups === 'string' ? [apiGroups] : apiGroups,
  resources,
  verbs,
});

const EVENTS = rule('', ['events'], ['create', 'patch', 'update']);
/** Who asks, and may they: for subresources, and for metrics. */
const ASK_WHO = [
  rule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
  rule('authentication.k8s.io', ['tokenreviews'], ['create']),
];
const LEASES = rule('coordination.k8s.io', ['leases'], [...READ, 'create', 'update', 'patch', 'delete']);

/**
 * No component may read Secrets: what a VM needs of them, its launcher Pod mounts. The credentials of a node
 * agent must not open the cluster (CVE-2024-33394).
 */
const COMPONENT_RULES: Readonly<Record<string, readonly PolicyRule[]>> = {
  'kubevirt-apiserver': [
    rule(KUBEVIRT_GROUPS, ALL, READ),
    rule('kubevirt.io', ['virtualmachines', 'virtualmachines/status', 'virtualmachineinstances'], CHANGE),
    rule('kubevirt.io', ['virtualmachineinstancemigrations'], ['create', ...CHANGE]),
    rule('', ['pods', 'nodes', 'namespaces', 'persistentvolumeclaims', 'configmaps', 'limitranges'], READ),
    rule('apps', ['controllerrevisions'], READ),
    rule('cdi.kubevirt.io', ALL, READ),
    rule('snapshot.storage.k8s.io', ['volumesnapshots'], READ),
    rule('storage.k8s.io', ['storageclasses'], READ),
    ...ASK_WHO,
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], READ),
    rule('coordination.k8s.io', ['leases'], READ),
    EVENTS,
  ],
  'kubevirt-controller': [
    rule(KUBEVIRT_GROUPS, ALL, ALL),
    rule('subresources.kubevirt.io', ALL, ['get', 'update']),
    rule('', ['pods', 'pods/status', 'pods/finalizers', 'persistentvolumeclaims'], [...READ, ...WRITE]),
    rule('', ['pods/eviction'], ['create']),
    // Exports: a Service, a certificate and a token each. Secrets are made and never read.
    rule('', ['services'], ['get', 'create']),
    rule('', ['secrets'], ['create']),
    rule(
      '',
      ['nodes', 'namespaces', 'persistentvolumes', 'configmaps', 'resourcequotas', 'limitranges'],
      READ,
    ),
    rule('', ['nodes', 'nodes/status'], CHANGE),
    rule('apps', ['controllerrevisions'], [...READ, ...WRITE]),
    rule('policy', ['poddisruptionbudgets'], [...READ, ...WRITE]),
    rule('storage.k8s.io', ['storageclasses', 'csidrivers'], READ),
    rule('snapshot.storage.k8s.io', ALL, [...READ, ...WRITE]),
    rule('cdi.kubevirt.io', ALL, [...READ, ...WRITE]),
    rule('k8s.cni.cncf.io', ['network-attachment-definitions'], READ),
    rule('resource.k8s.io', ALL, READ),
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], READ),
    ...ASK_WHO,
    LEASES,
    EVENTS,
  ],
  // Which VMIs, Nodes and Leases, by its node: handlerPolicies. Migrations are not a node's to touch (CVE-2025-64436).
  'kubevirt-handler': [
    rule('kubevirt.io', ['kubevirts'], READ),
    rule('kubevirt.io', ['virtualmachineinstances'], [...READ, ...CHANGE]),
    rule('', ['nodes'], ['get', 'patch']),
    rule('', ['pods'], READ),
    ...ASK_WHO,
    rule('coordination.k8s.io', ['leases'], ['get', 'create', 'patch']),
    EVENTS,
  ],
};

/** What the node agent follows to keep the machine's network: Services, policies, addresses. It writes events. */
const NODE_NETWORK = 'podvisor:node-network';
const NODE_NETWORK_RULES: readonly PolicyRule[] = [
  rule('', ['services', 'pods', 'namespaces', 'nodes'], ['list', 'watch']),
  rule('discovery.k8s.io', ['endpointslices'], ['list', 'watch']),
  rule('networking.k8s.io', ['networkpolicies'], ['list', 'watch']),
  EVENTS,
];

/** Subresources that read, and those that change something. */
const VMI_READ = [
  'guestosinfo',
  'userlist',
  'filesystemlist',
  'networkpath',
  'diskpath',
  'domainxml',
  'migrationprogress',
  'backupprogress',
  'objectgraph',
  'sev/fetchcertchain',
  'sev/querylaunchmeasurement',
];
const VMI_CONNECT = ['console', 'vnc', 'vnc/screenshot', 'portforward', 'usbredir', 'vsock'];
const VMI_CHANGE = [
  'pause',
  'unpause',
  'addvolume',
  'removevolume',
  'freeze',
  'unfreeze',
  'softreboot',
  'reset',
  'evacuate/cancel',
  'sev/setupsession',
  'sev/injectlaunchsecret',
];
const VM_READ = ['expand-spec', 'portforward', 'objectgraph'];
const VM_CHANGE = [
  'start',
  'stop',
  'restart',
  'addvolume',
  'removevolume',
  'memorydump',
  'removememorydump',
  'evacuate/cancel',
];

const of = (resource: string, names: readonly string[]): string[] =>
  names.map((name) => `${resource}/${name}`);

const readSubresources = [
  ...of('virtualmachineinstances', VMI_READ),
  ...of('virtualmachines', ['expand-spec', 'objectgraph']),
];
const changeSubresources = [
  ...of('virtualmachineinstances', VMI_CHANGE),
  ...of('virtualmachines', VM_CHANGE),
];
const connectSubresources = [
  ...of('virtualmachineinstances', VMI_CONNECT),
  ...of('virtualmachines', VM_READ),
];

/** Kinds of users, by group. Cluster-wide settings (KubeVirt, MigrationPolicy, Plugin) are not among them. */
const USER_KINDS: Readonly<Record<string, readonly string[]>> = {
  'kubevirt.io': [
    'virtualmachines',
    'virtualmachineinstances',
    'virtualmachineinstancepresets',
    'virtualmachineinstancereplicasets',
    'virtualmachineinstancereplicasets/scale',
  ],
  'pool.kubevirt.io': ['virtualmachinepools', 'virtualmachinepools/scale'],
  'snapshot.kubevirt.io': [
    'virtualmachinesnapshots',
    'virtualmachinesnapshotcontents',
    'virtualmachinerestores',
  ],
  'export.kubevirt.io': ['virtualmachineexports'],
  'clone.kubevirt.io': ['virtualmachineclones'],
  'instancetype.kubevirt.io': [
    'virtualmachineinstancetypes',
    'virtualmachineclusterinstancetypes',
    'virtualmachinepreferences',
    'virtualmachineclusterpreferences',
  ],
  'backup.kubevirt.io': ['virtualmachinebackups', 'virtualmachinebackuptrackers'],
  'cdi.kubevirt.io': ['datavolumes', 'datasources'],
  'snapshot.storage.k8s.io': ['volumesnapshots'],
};
const MIGRATIONS = rule('kubevirt.io', ['virtualmachineinstancemigrations'], READ);
const CLUSTER_SETTINGS = [
  rule('kubevirt.io', ['kubevirts'], ['get', 'list']),
  rule('migrations.kubevirt.io', ['migrationpolicies'], READ),
];

const userKinds = (verbs: readonly string[]): PolicyRule[] =>
  Object.entries(USER_KINDS).map(([group, kinds]) => rule(group, kinds, verbs));

const userRules = (verbs: readonly string[]): PolicyRule[] => [
  ...userKinds(verbs),
  MIGRATIONS,
  ...CLUSTER_SETTINGS,
  rule('subresources.kubevirt.io', [...readSubresources, ...connectSubresources], ['get']),
  rule('subresources.kubevirt.io', changeSubresources, ['update']),
  rule('subresources.kubevirt.io', ['expand-vm-spec'], ['update']),
  rule('upload.cdi.kubevirt.io', ['uploadtokenrequests'], ['create']),
  rule('cdi.kubevirt.io', ['datavolumes/source'], ['create']),
];

/** `migrate` reaches nobody by aggregation: whoever may move VMs between nodes is told so by the administrator. */
const USER_ROLES: Readonly<Record<string, readonly PolicyRule[]>> = {
  admin: userRules([...READ, ...WRITE]),
  edit: userRules([...READ, ...WRITE.filter((verb) => verb !== 'deletecollection')]),
  view: [
    ...userKinds(READ),
    MIGRATIONS,
    ...CLUSTER_SETTINGS,
    rule('subresources.kubevirt.io', readSubresources, ['get']),
    rule('subresources.kubevirt.io', ['expand-vm-spec'], ['update']),
  ],
};
const MIGRATE_RULES: readonly PolicyRule[] = [
  rule('subresources.kubevirt.io', ['virtualmachines/migrate'], ['update']),
  rule('kubevirt.io', ['virtualmachineinstancemigrations'], [...READ, ...WRITE]),
];

/** Service accounts, roles and bindings; kind by kind, so that they can be installed side by side. */
export function rbacObjects(): KubernetesObject[] {
  const components = Object.entries(COMPONENT_RULES);
  const everybody = { kind: 'Group', name: 'system:authenticated', apiGroup: RBAC_GROUP };
  const accounts = components.map(
    ([name]): KubernetesObject => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace: NAMESPACE, labels: LABELS },
    }),
  );
  const roles = [
    ...components.map(([name, rules]) => clusterRole(name, rules)),
    ...Object.entries(USER_ROLES).map(([name, rules]) =>
      clusterRole(`kubevirt.io:${name}`, rules, {
        [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true',
      }),
    ),
    clusterRole(NODE_NETWORK, NODE_NETWORK_RULES),
    clusterRole('kubevirt.io:migrate', MIGRATE_RULES),
    clusterRole('kubevirt.io:default', [
      rule('cdi.kubevirt.io', ['cdiconfigs', 'storageprofiles'], READ),
      rule('subresources.kubevirt.io', ['version', 'guestfs'], ['get', 'list']),
    ]),
    clusterRole('instancetype.kubevirt.io:view', [
      rule(
        'instancetype.kubevirt.io',
        ['virtualmachineclusterinstancetypes', 'virtualmachineclusterpreferences'],
        READ,
      ),
    ]),
  ];
  const bindings = [
    ...components.map(([name]) =>
      clusterRoleBinding(name, { kind: 'ServiceAccount', name, namespace: NAMESPACE }),
    ),
    clusterRoleBinding(NODE_NETWORK, { kind: 'User', name: 'system:kube-proxy', apiGroup: RBAC_GROUP }),
    clusterRoleBinding('kubevirt.io:default', everybody),
    clusterRoleBinding('instancetype.kubevirt.io:view', everybody),
  ];
  return [...accounts, ...roles, ...bindings];
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const LABELS = { 'kubevirt.io': '' };

function clusterRole(
  name: string,
  rules: readonly PolicyRule[],
  labels: Record<string, string> = {},
): KubernetesObject & { rules: readonly PolicyRule[] } {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'ClusterRole',
    metadata: { name, labels: { ...LABELS, ...labels } },
    rules,
  };
}

function clusterRoleBinding(
  name: string,
  subject: object,
): KubernetesObject & { roleRef: object; subjects: object[] } {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: LABELS },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
    subjects: [subject],
  };
}
