/** Where each kind lives in the Kubernetes API: ours from the registry, and the ones of Kubernetes we use. */
import { kindRegistry } from './crds/registry.ts';

/** A kind at one version, as a REST path needs it. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

function resource(group: string, version: string, plural: string, kind: string, namespaced = true): Resource {
  return { group, version, plural, kind, namespaced };
}

function own(kind: string): Resource {
  const entry = kindRegistry.find((candidate) => candidate.kind === kind);
  const version = entry?.versions.find((candidate) => candidate.storage);
  if (!entry || !version) throw new Error(`${kind} is not in the registry of kinds`);
  return resource(entry.group, version.name, entry.plural, kind, entry.scope === 'Namespaced');
}

/** All resources that Podvisor reads or writes, at the version it uses. */
export const resources = {
  kubeVirts: own('KubeVirt'),
  virtualMachines: own('VirtualMachine'),
  virtualMachineInstances: own('VirtualMachineInstance'),
  migrations: own('VirtualMachineInstanceMigration'),
  replicaSets: own('VirtualMachineInstanceReplicaSet'),
  presets: resource('kubevirt.io', 'v1', 'virtualmachineinstancepresets', 'VirtualMachineInstancePreset'),
  pools: own('VirtualMachinePool'),
  snapshots: own('VirtualMachineSnapshot'),
  snapshotContents: own('VirtualMachineSnapshotContent'),
  restores: own('VirtualMachineRestore'),
  exports: own('VirtualMachineExport'),
  clones: own('VirtualMachineClone'),
  instancetypes: own('VirtualMachineInstancetype'),
  clusterInstancetypes: own('VirtualMachineClusterInstancetype'),
  preferences: own('VirtualMachinePreference'),
  clusterPreferences: own('VirtualMachineClusterPreference'),
  migrationPolicies: own('MigrationPolicy'),
  backups: own('VirtualMachineBackup'),
  backupTrackers: own('VirtualMachineBackupTracker'),
  plugins: own('Plugin'),

  pods: resource('', 'v1', 'pods', 'Pod'),
  nodes: resource('', 'v1', 'nodes', 'Node', false),
  namespaces: resource('', 'v1', 'namespaces', 'Namespace', false),
  events: resource('', 'v1', 'events', 'Event'),
  configMaps: resource('', 'v1', 'configmaps', 'ConfigMap'),
  secrets: resource('', 'v1', 'secrets', 'Secret'),
  services: resource('', 'v1', 'services', 'Service'),
  serviceAccounts: resource('', 'v1', 'serviceaccounts', 'ServiceAccount'),
  persistentVolumeClaims: resource('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  persistentVolumes: resource('', 'v1', 'persistentvolumes', 'PersistentVolume', false),
  resourceQuotas: resource('', 'v1', 'resourcequotas', 'ResourceQuota'),
  limitRanges: resource('', 'v1', 'limitranges', 'LimitRange'),
  storageClasses: resource('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', false),
  leases: resource('coordination.k8s.io', 'v1', 'leases', 'Lease'),
  controllerRevisions: resource('apps', 'v1', 'controllerrevisions', 'ControllerRevision'),
  podDisruptionBudgets: resource('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget'),
  customResourceDefinitions: resource(
    'apiextensions.k8s.io',
    'v1',
    'customresourcedefinitions',
    'CustomResourceDefinition',
    false,
  ),
  apiServices: resource('apiregistration.k8s.io', 'v1', 'apiservices', 'APIService', false),
  mutatingWebhookConfigurations: resource(
    'admissionregistration.k8s.io',
    'v1',
    'mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
    false,
  ),
  validatingWebhookConfigurations: resource(
    'admissionregistration.k8s.io',
    'v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    false,
  ),
  subjectAccessReviews: resource(
    'authorization.k8s.io',
    'v1',
    'subjectaccessreviews',
    'SubjectAccessReview',
    false,
  ),
  dataVolumes: resource('cdi.kubevirt.io', 'v1beta1', 'datavolumes', 'DataVolume'),
  dataSources: resource('cdi.kubevirt.io', 'v1beta1', 'datasources', 'DataSource'),
  networkAttachmentDefinitions: resource(
    'k8s.cni.cncf.io',
    'v1',
    'network-attachment-definitions',
    'NetworkAttachmentDefinition',
  ),
} as const satisfies Readonly<Record<string, Resource>>;

/** `kubevirt.io/v1`, or `v1` for the core group. */
export function apiVersionOf(target: Resource): string {
  return target.group === '' ? target.version : `${target.group}/${target.version}`;
}
