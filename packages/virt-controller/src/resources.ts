/** API resources that only virt-controller uses; the others are `resources` of @podvisor/kube. */
import type {
  DataVolume,
  KubernetesObject,
  MigrationPolicy,
  VirtualMachineBackup,
  VirtualMachineBackupTracker,
  VirtualMachineClone,
  VirtualMachineExport,
  VirtualMachineInstanceReplicaSet,
  VirtualMachinePool,
  VirtualMachineRestore,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContent,
} from '@podvisor/api';
import { defineResource } from '@podvisor/kube';

/** True when what fills the DataVolume has stopped with an error, although it may be tried again. */
export function hasStopped({ status }: DataVolume): boolean {
  return (
    status?.conditions?.some(
      ({ type, status: value, reason }) =>
        type === 'Running' && value === 'False' && (reason === 'Error' || reason === 'ImagePullFailed'),
    ) === true
  );
}

/** The part of a CustomResourceDefinition that is read. */
export interface Crd extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** What CDI says of the storage of a cluster. */
export interface CdiConfig extends KubernetesObject {
  readonly status?: {
    readonly filesystemOverhead?: {
      readonly global?: string;
      readonly storageClass?: Readonly<Record<string, string>>;
    };
  };
}
export const cdiConfigs = defineResource<CdiConfig>(
  'CDIConfig',
  'cdiconfigs',
  'cdi.kubevirt.io/v1beta1',
  'Cluster',
);
export const crds = defineResource<Crd>(
  'CustomResourceDefinition',
  'customresourcedefinitions',
  'apiextensions.k8s.io/v1',
  'Cluster',
);

export const replicaSets = defineResource<VirtualMachineInstanceReplicaSet>(
  'VirtualMachineInstanceReplicaSet',
  'virtualmachineinstancereplicasets',
  'kubevirt.io/v1',
);

export const pools = defineResource<VirtualMachinePool>(
  'VirtualMachinePool',
  'virtualmachinepools',
  'pool.kubevirt.io/v1beta1',
);

export const migrationPolicies = defineResource<MigrationPolicy>(
  'MigrationPolicy',
  'migrationpolicies',
  'migrations.kubevirt.io/v1alpha1',
  'Cluster',
);

/** The part of a ResourceQuota that is read. */
export interface ResourceQuota extends KubernetesObject {
  readonly spec?: { readonly hard?: Readonly<Record<string, string | number>> };
}

export const resourceQuotas = defineResource<ResourceQuota>('ResourceQuota', 'resourcequotas', 'v1');

const SNAPSHOT = 'snapshot.kubevirt.io/v1beta1';
export const vmSnapshots = defineResource<VirtualMachineSnapshot>(
  'VirtualMachineSnapshot',
  'virtualmachinesnapshots',
  SNAPSHOT,
);
export const vmSnapshotContents = defineResource<VirtualMachineSnapshotContent>(
  'VirtualMachineSnapshotContent',
  'virtualmachinesnapshotcontents',
  SNAPSHOT,
);
export const vmRestores = defineResource<VirtualMachineRestore>(
  'VirtualMachineRestore',
  'virtualmachinerestores',
  SNAPSHOT,
);
export const vmClones = defineResource<VirtualMachineClone>(
  'VirtualMachineClone',
  'virtualmachineclones',
  'clone.kubevirt.io/v1beta1',
);
const BACKUP = 'backup.kubevirt.io/v1alpha1';
export const vmBackups = defineResource<VirtualMachineBackup>(
  'VirtualMachineBackup',
  'virtualmachinebackups',
  BACKUP,
);
export const vmBackupTrackers = defineResource<VirtualMachineBackupTracker>(
  'VirtualMachineBackupTracker',
  'virtualmachinebackuptrackers',
  BACKUP,
);
export const vmExports = defineResource<VirtualMachineExport>(
  'VirtualMachineExport',
  'virtualmachineexports',
  'export.kubevirt.io/v1',
);
