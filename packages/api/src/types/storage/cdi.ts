/** Kinds of cdi.kubevirt.io/v1beta1, in so far as Podvisor reads and writes them. */
import type { Condition, PersistentVolumeClaim } from '../kubernetes/core.ts';
import type { DataVolumeSourcePVC, DataVolumeSpec } from './data-volume.ts';
import type { KubernetesObject, ObjectMeta } from '../kubernetes/meta.ts';

export type DataVolumePhase =
  /** Not looked at yet. */
  | ''
  | 'Pending'
  | 'PVCBound'
  | 'WaitForFirstConsumer'
  | 'PendingPopulation'
  | 'ImportScheduled'
  | 'ImportInProgress'
  | 'CloneScheduled'
  | 'CloneInProgress'
  | 'SnapshotForSmartCloneInProgress'
  | 'CloneFromSnapshotSourceInProgress'
  | 'UploadScheduled'
  | 'UploadReady'
  | 'Succeeded'
  | 'Failed'
  | 'Unknown'
  | 'Paused';

/** A claim and how it is filled. */
export interface DataVolume extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: DataVolumeSpec;
  readonly status?: {
    readonly claimName?: string;
    readonly phase?: DataVolumePhase;
    /** `12.34%`, or `N/A`. */
    readonly progress?: string;
    readonly restartCount?: number;
    readonly conditions?: readonly (Condition & { readonly lastHeartbeatTime?: string })[];
  };
}

/** A name for an image that DataVolumes are made from. */
export interface DataSource extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly source: {
      readonly pvc?: DataVolumeSourcePVC;
      readonly snapshot?: DataVolumeSourcePVC;
      readonly dataSource?: DataVolumeSourcePVC;
    };
  };
  readonly status?: {
    readonly source?: DataSource['spec']['source'];
    readonly conditions?: readonly (Condition & { readonly lastHeartbeatTime?: string })[];
  };
}

/** What a storage class can do for virtual machines. */
export interface StorageProfile extends KubernetesObject {
  readonly spec?: {
    readonly claimPropertySets?: readonly ClaimPropertySet[];
    readonly snapshotClass?: string;
  };
  readonly status?: {
    readonly storageClass?: string;
    readonly provisioner?: string;
    readonly claimPropertySets?: readonly ClaimPropertySet[];
    readonly cloneStrategy?: string;
    readonly snapshotClass?: string;
    readonly dataImportCronSourceFormat?: string;
  };
}

export interface ClaimPropertySet {
  readonly accessModes?: readonly string[];
  readonly volumeMode?: PersistentVolumeClaim['spec']['volumeMode'];
}
