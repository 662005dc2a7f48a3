/**
 * Who may do what: the service accounts of the three components, and the roles that users get through
 * `admin`, `edit` and `view` (behaviour book 2.2). Kubernetes' own roles belong to the API server.
 */
import { dataVolumesAccount, type KubernetesObject } from '@podvisor/api';
import { COMPONENT_RIGHTS, type ComponentRights, type PolicyRule, rule } from './component-rights.ts';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** Subresources that read, and those that change something. */
const VMI_READ = [
  'guestosinfo',
  'userlist',
  'filesystemlist',
  'networkpath',
  'diskpath',
  'domainxml',
  'domainstats',
  'usagehistory',
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
  'hibernate',
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
export function rbacObjects(namespace: string, dataVolumes: boolean): KubernetesObject[] {
  const components = Object.entries(COMPONENT_RIGHTS).filter(
    ([name]) => dataVolumes || name !== dataVolumesAccount,
  );
  const everybody = { kind: 'Group', name: 'system:authenticated', apiGroup: RBAC_GROUP };
  const accounts = components.map(
    ([name]): KubernetesObject => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace, labels: LABELS },
    }),
  );
  const roles = [
    ...components.map(([name, { cluster }]) => clusterRole(name, cluster)),
    ...Object.entries(USER_ROLES).map(([name, rules]) =>
      clusterRole(`kubevirt.io:${name}`, rules, {
        [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true',
      }),
    ),
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
    ...components.map(([name]) => clusterRoleBinding(name, { kind: 'ServiceAccount', name, namespace })),
    clusterRoleBinding('kubevirt.io:default', everybody),
    clusterRoleBinding('instancetype.kubevirt.io:view', everybody),
  ];
  return [...accounts, ...roles, ...bindings, ...namespacedRoles(namespace, components)];
}

/** What a component may do in one namespace only. */
function namespacedRoles(
  installed: string,
  components: readonly (readonly [name: string, rights: ComponentRights])[],
): KubernetesObject[] {
  const all = components.flatMap(([name, { namespaces = {} }]) =>
    Object.entries(namespaces).map(([where, rules]) => ({
      name,
      namespace: where === OWN_NAMESPACE ? installed : where,
      rules,
    })),
  );
  const metaOf = (name: string, namespace: string): KubernetesObject['metadata'] => ({
    name,
    namespace,
    labels: LABELS,
  });
  return [
    ...all.map(({ name, namespace, rules }) => ({
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: 'Role',
      metadata: metaOf(name, namespace),
      rules,
    })),
    ...all.map(({ name, namespace }) => ({
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: 'RoleBinding',
      metadata: metaOf(name, namespace),
      roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: installed }],
    })),
  ];
}

/** In the table of rights: the namespace that the components are installed in. */
const OWN_NAMESPACE = 'kubevirt';
export const RBAC_GROUP = 'rbac.authorization.k8s.io';
const LABELS = { 'kubevirt.io': '' };

export function clusterRole(
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

export function clusterRoleBinding(
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
