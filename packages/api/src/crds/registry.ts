/**
 * The surface of every kind that we define: names, versions, subresources and columns. The schemas come
 * from the types; this table holds what a type cannot say.
 */
import type { PrinterColumn, Subresources } from './schema.ts';

export interface KindVersion {
  readonly name: string;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  /** What clients are told in place of the API server's own words: KubeVirt's clients know the sentence. */
  readonly deprecationWarning?: string;
}

export interface KindEntry {
  readonly kind: string;
  readonly group: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** In the order of the CRD. All versions share one schema, so conversion is `None`. */
  readonly versions: readonly KindVersion[];
  readonly subresources?: Subresources;
  readonly columns?: readonly PrinterColumn[];
}

const CORE_VERSIONS: readonly KindVersion[] = [
  { name: 'v1', storage: true },
  { name: 'v1alpha3', storage: false, deprecated: true },
];
const BETA_VERSIONS: readonly KindVersion[] = [
  { name: 'v1alpha1', storage: false },
  { name: 'v1beta1', storage: true },
];
const ALPHA_VERSION: readonly KindVersion[] = [{ name: 'v1alpha1', storage: true }];
const INSTANCETYPE_VERSION: readonly KindVersion[] = [{ name: 'v1beta1', storage: true }];
const presetsEnd = (version: string): Pick<KindVersion, 'deprecated' | 'deprecationWarning'> => ({
  deprecated: true,
  deprecationWarning: `kubevirt.io/${version} VirtualMachineInstancePresets is now deprecated and will be removed in v2.`,
});
const ALL = ['all'];
const STATUS: Subresources = { status: {} };
const STATUS_AND_SCALE: Subresources = {
  status: {},
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.labelSelector',
  },
};

const AGE = column('Age', 'date', '.metadata.creationTimestamp');
const SOURCE = [
  column('SourceKind', 'string', '.spec.source.kind'),
  column('SourceName', 'string', '.spec.source.name'),
];

function column(
  name: string,
  type: string,
  jsonPath: string,
  extra: Partial<PrinterColumn> = {},
): PrinterColumn {
  return { name, type, jsonPath, ...extra };
}

function conditionColumn(name: string, condition: string, extra: Partial<PrinterColumn> = {}): PrinterColumn {
  return column(name, 'string', `.status.conditions[?(@.type=='${condition}')].status`, extra);
}

/** Desired, Current, Ready, Age of a kind that keeps copies of another. */
function replicaColumns(members: string): readonly PrinterColumn[] {
  return [
    column('Desired', 'integer', '.spec.replicas', { description: `Number of desired ${members}` }),
    column('Current', 'integer', '.status.replicas', {
      description: `Number of managed and not final or deleted ${members}`,
    }),
    column('Ready', 'integer', '.status.readyReplicas', {
      description: `Number of managed ${members} which are ready to receive traffic`,
    }),
    AGE,
  ];
}

export const kindRegistry: readonly KindEntry[] = [
  {
    kind: 'KubeVirt',
    group: 'kubevirt.io',
    plural: 'kubevirts',
    scope: 'Namespaced',
    shortNames: ['kv', 'kvs'],
    categories: ALL,
    versions: CORE_VERSIONS,
    subresources: STATUS,
    columns: [AGE, column('Phase', 'string', '.status.phase')],
  },
  {
    kind: 'VirtualMachine',
    group: 'kubevirt.io',
    plural: 'virtualmachines',
    scope: 'Namespaced',
    shortNames: ['vm', 'vms'],
    categories: ALL,
    versions: CORE_VERSIONS,
    subresources: STATUS,
    columns: [
      AGE,
      column('Status', 'string', '.status.printableStatus', { description: 'Human Readable Status' }),
      conditionColumn('Ready', 'Ready'),
    ],
  },
  {
    // No status subresource: status is written with a plain update.
    kind: 'VirtualMachineInstance',
    group: 'kubevirt.io',
    plural: 'virtualmachineinstances',
    scope: 'Namespaced',
    shortNames: ['vmi', 'vmis'],
    categories: ALL,
    versions: CORE_VERSIONS,
    columns: [
      AGE,
      column('Phase', 'string', '.status.phase'),
      column('IP', 'string', '.status.interfaces[0].ipAddress'),
      column('NodeName', 'string', '.status.nodeName'),
      conditionColumn('Ready', 'Ready'),
      conditionColumn('Live-Migratable', 'LiveMigratable', { priority: 1 }),
      conditionColumn('Paused', 'Paused', { priority: 1 }),
    ],
  },
  {
    kind: 'VirtualMachineInstanceMigration',
    group: 'kubevirt.io',
    plural: 'virtualmachineinstancemigrations',
    scope: 'Namespaced',
    shortNames: ['vmim', 'vmims'],
    categories: ALL,
    versions: CORE_VERSIONS,
    subresources: STATUS,
    columns: [
      column('Phase', 'string', '.status.phase', {
        description: 'The current phase of VM instance migration',
      }),
      column('VMI', 'string', '.spec.vmiName', {
        description: 'The name of the VMI to perform the migration on',
      }),
    ],
  },
  {
    kind: 'VirtualMachineInstanceReplicaSet',
    group: 'kubevirt.io',
    plural: 'virtualmachineinstancereplicasets',
    scope: 'Namespaced',
    shortNames: ['vmirs', 'vmirss'],
    categories: ALL,
    versions: CORE_VERSIONS,
    subresources: STATUS_AND_SCALE,
    columns: replicaColumns('VirtualMachineInstances'),
  },
  {
    kind: 'VirtualMachineInstancePreset',
    group: 'kubevirt.io',
    plural: 'virtualmachineinstancepresets',
    scope: 'Namespaced',
    shortNames: ['vmipreset', 'vmipresets'],
    categories: ALL,
    versions: [
      { name: 'v1', storage: false, ...presetsEnd('v1') },
      { name: 'v1alpha3', storage: true, ...presetsEnd('v1alpha3') },
    ],
  },
  {
    kind: 'VirtualMachinePool',
    group: 'pool.kubevirt.io',
    plural: 'virtualmachinepools',
    scope: 'Namespaced',
    shortNames: ['vmpool', 'vmpools'],
    categories: ALL,
    versions: BETA_VERSIONS,
    subresources: STATUS_AND_SCALE,
    columns: replicaColumns('VirtualMachines'),
  },
  {
    kind: 'VirtualMachineSnapshot',
    group: 'snapshot.kubevirt.io',
    plural: 'virtualmachinesnapshots',
    scope: 'Namespaced',
    shortNames: ['vmsnapshot', 'vmsnapshots'],
    categories: ALL,
    versions: BETA_VERSIONS,
    subresources: STATUS,
    columns: [
      ...SOURCE,
      column('Phase', 'string', '.status.phase'),
      column('ReadyToUse', 'boolean', '.status.readyToUse'),
      column('CreationTime', 'date', '.status.creationTime'),
      column('Error', 'string', '.status.error.message'),
      // Of snapshots with memory: how long the guest stood still.
      column('PauseMilliseconds', 'integer', '.status.memory.pauseMilliseconds', { priority: 1 }),
    ],
  },
  {
    kind: 'VirtualMachineSnapshotContent',
    group: 'snapshot.kubevirt.io',
    plural: 'virtualmachinesnapshotcontents',
    scope: 'Namespaced',
    shortNames: ['vmsnapshotcontent', 'vmsnapshotcontents'],
    categories: ALL,
    versions: BETA_VERSIONS,
    subresources: STATUS,
    columns: [
      column('ReadyToUse', 'boolean', '.status.readyToUse'),
      column('CreationTime', 'date', '.status.creationTime'),
      column('Error', 'string', '.status.error.message'),
    ],
  },
  {
    kind: 'VirtualMachineRestore',
    group: 'snapshot.kubevirt.io',
    plural: 'virtualmachinerestores',
    scope: 'Namespaced',
    shortNames: ['vmrestore', 'vmrestores'],
    categories: ALL,
    versions: BETA_VERSIONS,
    subresources: STATUS,
    columns: [
      column('TargetKind', 'string', '.spec.target.kind'),
      column('TargetName', 'string', '.spec.target.name'),
      column('Complete', 'boolean', '.status.complete'),
      column('RestoreTime', 'date', '.status.restoreTime'),
    ],
  },
  {
    kind: 'VirtualMachineExport',
    group: 'export.kubevirt.io',
    plural: 'virtualmachineexports',
    scope: 'Namespaced',
    shortNames: ['vmexport', 'vmexports'],
    categories: ALL,
    versions: [
      {
        name: 'v1beta1',
        storage: false,
        deprecated: true,
        deprecationWarning:
          'export.kubevirt.io/v1beta1 VirtualMachineExport is now deprecated and will be removed in a future version.',
      },
      { name: 'v1', storage: true },
    ],
    subresources: STATUS,
    columns: [...SOURCE, column('Phase', 'string', '.status.phase')],
  },
  {
    kind: 'VirtualMachineClone',
    group: 'clone.kubevirt.io',
    plural: 'virtualmachineclones',
    scope: 'Namespaced',
    shortNames: ['vmclone', 'vmclones'],
    categories: ALL,
    versions: BETA_VERSIONS,
    subresources: STATUS,
    columns: [
      column('Phase', 'string', '.status.phase'),
      column('SourceVirtualMachine', 'string', '.spec.source.name'),
      column('TargetVirtualMachine', 'string', '.spec.target.name'),
    ],
  },
  {
    kind: 'VirtualMachineInstancetype',
    group: 'instancetype.kubevirt.io',
    plural: 'virtualmachineinstancetypes',
    scope: 'Namespaced',
    shortNames: ['vminstancetype', 'vminstancetypes', 'vmf', 'vmfs'],
    categories: ALL,
    versions: INSTANCETYPE_VERSION,
  },
  {
    kind: 'VirtualMachineClusterInstancetype',
    group: 'instancetype.kubevirt.io',
    plural: 'virtualmachineclusterinstancetypes',
    scope: 'Cluster',
    shortNames: ['vmclusterinstancetype', 'vmclusterinstancetypes', 'vmcf', 'vmcfs'],
    versions: INSTANCETYPE_VERSION,
  },
  {
    kind: 'VirtualMachinePreference',
    group: 'instancetype.kubevirt.io',
    plural: 'virtualmachinepreferences',
    scope: 'Namespaced',
    shortNames: ['vmpref', 'vmprefs', 'vmp', 'vmps'],
    categories: ALL,
    versions: INSTANCETYPE_VERSION,
  },
  {
    kind: 'VirtualMachineClusterPreference',
    group: 'instancetype.kubevirt.io',
    plural: 'virtualmachineclusterpreferences',
    scope: 'Cluster',
    shortNames: ['vmcp', 'vmcps'],
    versions: INSTANCETYPE_VERSION,
  },
  {
    kind: 'MigrationPolicy',
    group: 'migrations.kubevirt.io',
    plural: 'migrationpolicies',
    scope: 'Cluster',
    versions: ALPHA_VERSION,
    subresources: STATUS,
  },
  {
    kind: 'VirtualMachineBackup',
    group: 'backup.kubevirt.io',
    plural: 'virtualmachinebackups',
    scope: 'Namespaced',
    shortNames: ['vmbackup', 'vmbackups'],
    categories: ALL,
    versions: ALPHA_VERSION,
    subresources: STATUS,
    columns: [
      ...SOURCE,
      column('Type', 'string', '.status.type'),
      column('CheckpointName', 'string', '.status.checkpointName'),
    ],
  },
  {
    kind: 'VirtualMachineBackupTracker',
    group: 'backup.kubevirt.io',
    plural: 'virtualmachinebackuptrackers',
    scope: 'Namespaced',
    shortNames: ['vmbackuptracker', 'vmbackuptrackers'],
    categories: ALL,
    versions: ALPHA_VERSION,
    subresources: STATUS,
    columns: [
      ...SOURCE,
      column('LatestCheckpoint', 'string', '.status.latestCheckpoint.name'),
      column('CheckpointTime', 'date', '.status.latestCheckpoint.creationTime'),
    ],
  },
  {
    kind: 'Plugin',
    group: 'plugin.kubevirt.io',
    plural: 'plugins',
    scope: 'Cluster',
    versions: ALPHA_VERSION,
  },
];
