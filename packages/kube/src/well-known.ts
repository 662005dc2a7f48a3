/** The resources that more than one package uses, with the types of their objects. */
import type {
  ConfigMap,
  ControllerRevision,
  DataSource,
  DataVolume,
  KubernetesObject,
  KubeVirt,
  Lease,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Secret,
  StorageClass,
  StorageProfile,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceMigration,
  VolumeSnapshot,
  VolumeSnapshotClass,
  VolumeSnapshotContent,
} from '@podvisor/api';
import { defineResource } from './client/resource.ts';

/** On Pods that a kubelet shows of itself: no object of the API makes them run. */
export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

export const resources = {
  pods: defineResource<Pod>('Pod', 'pods', 'v1'),
  nodes: defineResource<Node>('Node', 'nodes', 'v1', 'Cluster'),
  namespaces: defineResource<Namespace>('Namespace', 'namespaces', 'v1', 'Cluster'),
  configMaps: defineResource<ConfigMap>('ConfigMap', 'configmaps', 'v1'),
  secrets: defineResource<Secret>('Secret', 'secrets', 'v1'),
  services: defineResource<KubernetesObject>('Service', 'services', 'v1'),
  serviceAccounts: defineResource<KubernetesObject>('ServiceAccount', 'serviceaccounts', 'v1'),
  events: defineResource<KubernetesObject>('Event', 'events', 'v1'),
  persistentVolumes: defineResource<PersistentVolume>(
    'PersistentVolume',
    'persistentvolumes',
    'v1',
    'Cluster',
  ),
  persistentVolumeClaims: defineResource<PersistentVolumeClaim>(
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    'v1',
  ),
  storageClasses: defineResource<StorageClass>(
    'StorageClass',
    'storageclasses',
    'storage.k8s.io/v1',
    'Cluster',
  ),
  priorityClasses: defineResource<KubernetesObject>(
    'PriorityClass',
    'priorityclasses',
    'scheduling.k8s.io/v1',
    'Cluster',
  ),
  leases: defineResource<Lease>('Lease', 'leases', 'coordination.k8s.io/v1'),
  controllerRevisions: defineResource<ControllerRevision>(
    'ControllerRevision',
    'controllerrevisions',
    'apps/v1',
  ),
  podDisruptionBudgets: defineResource<KubernetesObject>(
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    'policy/v1',
  ),
  customResourceDefinitions: defineResource<KubernetesObject>(
    'CustomResourceDefinition',
    'customresourcedefinitions',
    'apiextensions.k8s.io/v1',
    'Cluster',
  ),
  virtualMachines: defineResource<VirtualMachine>('VirtualMachine', 'virtualmachines', 'kubevirt.io/v1'),
  virtualMachineInstances: defineResource<VirtualMachineInstance>(
    'VirtualMachineInstance',
    'virtualmachineinstances',
    'kubevirt.io/v1',
  ),
  virtualMachineInstanceMigrations: defineResource<VirtualMachineInstanceMigration>(
    'VirtualMachineInstanceMigration',
    'virtualmachineinstancemigrations',
    'kubevirt.io/v1',
  ),
  volumeSnapshots: defineResource<VolumeSnapshot>(
    'VolumeSnapshot',
    'volumesnapshots',
    'snapshot.storage.k8s.io/v1',
  ),
  volumeSnapshotContents: defineResource<VolumeSnapshotContent>(
    'VolumeSnapshotContent',
    'volumesnapshotcontents',
    'snapshot.storage.k8s.io/v1',
    'Cluster',
  ),
  volumeSnapshotClasses: defineResource<VolumeSnapshotClass>(
    'VolumeSnapshotClass',
    'volumesnapshotclasses',
    'snapshot.storage.k8s.io/v1',
    'Cluster',
  ),
  dataVolumes: defineResource<DataVolume>('DataVolume', 'datavolumes', 'cdi.kubevirt.io/v1beta1'),
  dataSources: defineResource<DataSource>('DataSource', 'datasources', 'cdi.kubevirt.io/v1beta1'),
  storageProfiles: defineResource<StorageProfile>(
    'StorageProfile',
    'storageprofiles',
    'cdi.kubevirt.io/v1beta1',
    'Cluster',
  ),
  kubeVirts: defineResource<KubeVirt>('KubeVirt', 'kubevirts', 'kubevirt.io/v1'),
} as const;
