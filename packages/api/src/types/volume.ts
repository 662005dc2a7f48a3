import type { LocalObjectReference, ObjectFieldSelector, ResourceFieldSelector } from './kubernetes.ts';
import type { EmptyObject, Int32, Quantity } from './meta.ts';

/** - */
export interface UtilityVolume {
  /** - */
  readonly claimName: string;
  /** - */
  readonly name: string;
  /** - */
  readonly readOnly?: boolean;
  /** - */
  readonly type?: string;
}

/** - */
export interface Volume {
  /** - */
  readonly cloudInitConfigDrive?: CloudInitSource;
  /** - */
  readonly cloudInitNoCloud?: CloudInitSource;
  /** - */
  readonly configMap?: ConfigMapVolumeSource;
  /** - */
  readonly containerDisk?: ContainerDiskSource;
  /** - */
  readonly containerPath?: ContainerPathVolumeSource;
  /** - */
  readonly dataVolume?: DataVolumeSource;
  /** - */
  readonly downwardAPI?: DownwardAPIVolumeSource;
  /** - */
  readonly downwardMetrics?: EmptyObject;
  /** - */
  readonly emptyDisk?: EmptyDiskSource;
  /** - */
  readonly ephemeral?: EphemeralVolumeSource;
  /** - */
  readonly hostDisk?: HostDisk;
  /** - */
  readonly memoryDump?: PersistentVolumeClaimVolumeSource;
  /** - */
  readonly name: string;
  /** - */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** - */
  readonly secret?: SecretVolumeSource;
  /** - */
  readonly serviceAccount?: ServiceAccountVolumeSource;
  /** - */
  readonly sysprep?: SysprepSource;
}

/** - */
export interface CloudInitSource {
  /** - */
  readonly networkData?: string;
  /** - */
  readonly networkDataBase64?: string;
  /** - */
  readonly networkDataSecretRef?: LocalObjectReference;
  /** - */
  readonly secretRef?: LocalObjectReference;
  /** - */
  readonly userData?: string;
  /** - */
  readonly userDataBase64?: string;
}

/**
 * -
 * @mapType atomic
 */
export interface ConfigMapVolumeSource {
  /**
   * -
   * @default ""
   */
  readonly name?: string;
  /** - */
  readonly optional?: boolean;
  /** - */
  readonly volumeLabel?: string;
}

/** - */
export interface ContainerDiskSource {
  /** - */
  readonly image: string;
  /** - */
  readonly imagePullPolicy?: string;
  /** - */
  readonly imagePullSecret?: string;
  /** - */
  readonly path?: string;
}

/** - */
export interface ContainerPathVolumeSource {
  /**
   * -
   * @maxLength 4096
   * @validations [{"message":"path must be absolute (start with '/')","rule":"self.startsWith('/')"},{"message":"path must not contain '..'","rule":"!self.contains('..')"}]
   */
  readonly path: string;
  /**
   * -
   * @default true
   * @validations [{"message":"readOnly must be true, write access is not supported","rule":"self == true"}]
   */
  readonly readOnly?: boolean;
}

/** - */
export interface DataVolumeSource {
  /** - */
  readonly hotpluggable?: boolean;
  /** - */
  readonly name: string;
}

/** - */
export interface DownwardAPIVolumeSource {
  /** - */
  readonly fields?: readonly DownwardAPIVolumeFile[];
  /** - */
  readonly volumeLabel?: string;
}

/** - */
export interface DownwardAPIVolumeFile {
  /** - */
  readonly fieldRef?: ObjectFieldSelector;
  /** - */
  readonly mode?: Int32;
  /** - */
  readonly path: string;
  /** - */
  readonly resourceFieldRef?: ResourceFieldSelector;
}

/** - */
export interface EmptyDiskSource {
  /** - */
  readonly capacity: Quantity;
}

/** - */
export interface EphemeralVolumeSource {
  /** - */
  readonly persistentVolumeClaim?: EphemeralPVCSource;
}

/** - */
export interface EphemeralPVCSource {
  /** - */
  readonly claimName: string;
  /** - */
  readonly readOnly?: boolean;
}

/** - */
export interface HostDisk {
  /** - */
  readonly capacity?: Quantity;
  /** - */
  readonly path: string;
  /** - */
  readonly shared?: boolean;
  /** - */
  readonly type: string;
}

/** - */
export interface PersistentVolumeClaimVolumeSource {
  /** - */
  readonly claimName: string;
  /** - */
  readonly hotpluggable?: boolean;
  /** - */
  readonly readOnly?: boolean;
}

/** - */
export interface SecretVolumeSource {
  /** - */
  readonly optional?: boolean;
  /** - */
  readonly secretName?: string;
  /** - */
  readonly volumeLabel?: string;
}

/** - */
export interface ServiceAccountVolumeSource {
  /** - */
  readonly serviceAccountName?: string;
}

/** - */
export interface SysprepSource {
  /** - */
  readonly configMap?: LocalObjectReference;
  /** - */
  readonly secret?: LocalObjectReference;
}
