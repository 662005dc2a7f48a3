/**
 * What the components use of the API, by name: no wildcard, no verb in store. rbac-recording.json is what they
 * asked for while the whole-system tests ran; `rights.test.ts` of the embedded home fails on a right that nobody used (unless
 * `unrecorded-rights.ts` says when it is) and on one that is missing. Pure data.
 *
 * No component may read Secrets: what a VM needs of them, its launcher Pod mounts. The credentials of a node
 * agent must not open the cluster (CVE-2024-33394).
 */

import { dataVolumesAccount, STATE_KEY_SUBRESOURCE } from '@podvisor/api';

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface ComponentRights {
  /** In all namespaces. */
  readonly cluster: readonly PolicyRule[];
  /** In one namespace only; `kubevirt` stands for the namespace that it is installed in. */
  readonly namespaces?: Readonly<Record<string, readonly PolicyRule[]>>;
}

export const rule = (
  apiGroups: string | readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
): PolicyRule => ({
  apiGroups: typeof apiGroups === 'string' ? [apiGroups] : apiGroups,
  resources,
  verbs,
});

export const FOLLOW = ['list', 'watch'];
export const EVENTS = rule('', ['events'], ['create', 'patch']);
/** Whose request it is, and may they: for metrics, and for subresources. */
const ASK_WHO = [
  rule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
  rule('authentication.k8s.io', ['tokenreviews'], ['create']),
];
const INSTANCETYPES = rule(
  'instancetype.kubevirt.io',
  [
    'virtualmachineinstancetypes',
    'virtualmachineclusterinstancetypes',
    'virtualmachinepreferences',
    'virtualmachineclusterpreferences',
  ],
  ['get'],
);

/** Fills claims by Pods: it reads no Secret, which its Pods mount, and no VM. */
const DATA_VOLUMES: ComponentRights = {
  cluster: [
    rule('cdi.kubevirt.io', ['datavolumes', 'datasources'], FOLLOW),
    rule('cdi.kubevirt.io', ['storageprofiles'], [...FOLLOW, 'create']),
    rule(
      'cdi.kubevirt.io',
      ['datavolumes/status', 'datasources/status', 'storageprofiles/status', 'cdiconfigs/status'],
      ['patch'],
    ),
    rule('', ['persistentvolumeclaims'], [...FOLLOW, 'create', 'patch']),
    rule('', ['pods'], [...FOLLOW, 'create', 'delete']),
    rule('', ['pods/log'], ['get']),
    rule('storage.k8s.io', ['storageclasses'], FOLLOW),
    rule('snapshot.storage.k8s.io', ['volumesnapshots'], FOLLOW),
    rule('cdi.kubevirt.io', ['cdiconfigs'], ['create']),
    EVENTS,
  ],
  namespaces: { kubevirt: [rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update'])] },
};

/** By service account. */
export const COMPONENT_RIGHTS: Readonly<Record<string, ComponentRights>> = {
  'kubevirt-apiserver': {
    cluster: [
      rule('kubevirt.io', ['kubevirts', 'virtualmachineinstancepresets'], FOLLOW),
      rule('kubevirt.io', ['virtualmachines', 'virtualmachineinstances'], ['get', 'list', 'patch']),
      rule('kubevirt.io', ['virtualmachines/status'], ['patch']),
      rule('kubevirt.io', ['virtualmachineinstancereplicasets'], ['list']),
      rule('kubevirt.io', ['virtualmachineinstancemigrations'], ['list', 'create']),
      rule('snapshot.kubevirt.io', ['virtualmachinesnapshots', 'virtualmachinesnapshotcontents'], ['get']),
      rule('snapshot.kubevirt.io', ['virtualmachinerestores'], ['list']),
      rule('backup.kubevirt.io', ['virtualmachinebackups'], ['list']),
      INSTANCETYPES,
      rule('', ['pods', 'persistentvolumeclaims'], ['get', 'list']),
      rule('', ['nodes'], ['get']),
      rule('apps', ['controllerrevisions'], ['get']),
      rule('cdi.kubevirt.io', ['datavolumes', 'datasources', 'cdiconfigs'], ['get']),
      rule('snapshot.storage.k8s.io', ['volumesnapshots'], ['get']),
      ...ASK_WHO,
    ],
    namespaces: {
      kubevirt: [rule('coordination.k8s.io', ['leases'], ['get'])],
      'kube-system': [rule('', ['configmaps'], FOLLOW)],
    },
  },
  'kubevirt-controller': {
    cluster: [
      rule(
        'kubevirt.io',
        ['virtualmachines', 'virtualmachineinstances'],
        [...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']],
      ),
      rule('kubevirt.io', ['virtualmachines/status'], ['update', 'patch']),
      rule('kubevirt.io', ['virtualmachineinstancemigrations'], [...FOLLOW, 'create', 'patch', 'delete']),
      rule('kubevirt.io', ['virtualmachineinstancemigrations/status'], ['update']),
      rule('kubevirt.io', ['virtualmachineinstancereplicasets'], FOLLOW),
      rule('kubevirt.io', ['virtualmachineinstancereplicasets/status'], ['update']),
      rule('pool.kubevirt.io', ['virtualmachinepools'], FOLLOW),
      rule('pool.kubevirt.io', ['virtualmachinepools/status'], ['update']),
      rule(
        'snapshot.kubevirt.io',
        ['virtualmachinesnapshots', 'virtualmachinesnapshotcontents'],
        ['get', ...FOLLOW, 'create', 'patch', 'delete'],
      ),
      rule('snapshot.kubevirt.io', ['virtualmachinerestores'], ['get', ...FOLLOW, 'create', 'delete']),
      rule(
        'snapshot.kubevirt.io',
        ['virtualmachinesnapshots/status', 'virtualmachinesnapshotcontents/status'],
        ['update'],
      ),
      rule('snapshot.kubevirt.io', ['virtualmachinerestores/status'], ['update', 'patch']),
      rule('export.kubevirt.io', ['virtualmachineexports'], ['get', ...FOLLOW, 'create', 'delete']),
      rule('export.kubevirt.io', ['virtualmachineexports/status'], ['update']),
      rule('clone.kubevirt.io', ['virtualmachineclones'], ['get', ...FOLLOW, 'create', 'delete']),
      rule('clone.kubevirt.io', ['virtualmachineclones/status'], ['update']),
      rule('backup.kubevirt.io', ['virtualmachinebackups'], ['get', ...FOLLOW, 'patch']),
      rule('backup.kubevirt.io', ['virtualmachinebackups/status'], ['update']),
      rule('backup.kubevirt.io', ['virtualmachinebackuptrackers'], ['get', ...FOLLOW]),
      rule('backup.kubevirt.io', ['virtualmachinebackuptrackers/status'], ['patch']),
      rule('migrations.kubevirt.io', ['migrationpolicies'], FOLLOW),
      rule('plugin.kubevirt.io', ['plugins'], FOLLOW),
      INSTANCETYPES,
      // Of a guest: what snapshots and backups need. Consoles, screens and ports are not among it.
      rule(
        'subresources.kubevirt.io',
        [
          'virtualmachineinstances/freeze',
          'virtualmachineinstances/unfreeze',
          'virtualmachineinstances/backup',
          'virtualmachineinstances/redefine-checkpoint',
        ],
        ['update'],
      ),
      rule('subresources.kubevirt.io', ['virtualmachineinstances/backupprogress'], ['get']),
      rule('', ['pods'], ['get', ...FOLLOW, 'create', 'patch', 'delete']),
      rule('', ['pods/status', 'pods/resize'], ['patch']),
      rule('', ['pods/eviction'], ['create']),
      rule('', ['persistentvolumeclaims'], ['get', ...FOLLOW, 'create', 'patch', 'delete']),
      // Exports: a Service, a certificate and a token each. Which Secrets: controllerPolicies of @podvisor/api.
      rule('', ['services'], ['get', 'create']),
      rule('', ['secrets'], ['create']),
      rule('', ['nodes'], ['get', ...FOLLOW, 'patch']),
      rule('', ['namespaces', 'resourcequotas'], FOLLOW),
      EVENTS,
      rule('apps', ['controllerrevisions'], ['get', 'list', 'create', 'delete']),
      rule('policy', ['poddisruptionbudgets'], ['list', 'delete']),
      rule('storage.k8s.io', ['storageclasses'], ['get', ...FOLLOW]),
      rule('snapshot.storage.k8s.io', ['volumesnapshots'], ['get', ...FOLLOW, 'create', 'delete']),
      rule('snapshot.storage.k8s.io', ['volumesnapshotclasses'], FOLLOW),
      rule('cdi.kubevirt.io', ['datavolumes'], ['get', ...FOLLOW, 'create', 'patch', 'delete']),
      rule('cdi.kubevirt.io', ['datasources'], ['get']),
      rule('cdi.kubevirt.io', ['cdiconfigs'], FOLLOW),
      rule('cdi.kubevirt.io', ['storageprofiles'], ['get', ...FOLLOW]),
      rule('apiextensions.k8s.io', ['customresourcedefinitions'], FOLLOW),
      ...ASK_WHO,
    ],
    namespaces: {
      kubevirt: [
        rule('kubevirt.io', ['kubevirts'], FOLLOW),
        rule('kubevirt.io', ['kubevirts/status'], ['update', 'patch']),
        rule('coordination.k8s.io', ['leases'], ['get', ...FOLLOW, 'create', 'update']),
      ],
    },
  },
  // Which VMIs, Nodes and Leases, by its node: handlerPolicies. Migrations are not a node's to touch (CVE-2025-64436).
  'kubevirt-handler': {
    cluster: [
      rule('kubevirt.io', ['virtualmachineinstances'], ['get', ...FOLLOW, 'update']),
      // Of those on its node: virt-api looks.
      rule('subresources.kubevirt.io', [`virtualmachineinstances/${STATE_KEY_SUBRESOURCE}`], ['get']),
      rule('', ['nodes'], ['get', 'patch']),
      rule('', ['pods'], ['get', ...FOLLOW]),
      ...ASK_WHO,
      EVENTS,
    ],
    namespaces: {
      kubevirt: [
        rule('kubevirt.io', ['kubevirts'], FOLLOW),
        rule('coordination.k8s.io', ['leases'], ['get', ...FOLLOW, 'create', 'patch']),
      ],
    },
  },
  [dataVolumesAccount]: DATA_VOLUMES,
};
