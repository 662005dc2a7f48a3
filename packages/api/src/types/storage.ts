import type { LocalObjectReference, ObjectFieldSelector, ResourceFieldSelector } from './kubernetes.ts';
import type { EmptyObject, Int, Int32, Quantity } from './meta.ts';

/** - */
export interface Disk {
  /**
   * -
   */
  readonly blockSize?: BlockSize;
  /**
   * -
   */
  readonly bootOrder?: Int;
  /**
   * -
   */
  readonly cache?: string;
  /**
   * -
   */
  readonly cdrom?: CDRomTarget;
  /**
   * -
   */
  readonly changedBlockTracking?: boolean;
  /**
   * -
   */
  readonly dedicatedIOThread?: boolean;
  /**
   * -
   */
  readonly disk?: DiskTarget;
  /**
   * -
   */
  readonly errorPolicy?: string;
  /**
   * -
   */
  readonly io?: string;
  /**
   * -
   */
  readonly lun?: LunTarget;
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly serial?: string;
  /**
   * -
   */
  readonly shareable?: boolean;
  /**
   * -
   */
  readonly tag?: string;
}

/** - */
export interface BlockSize {
  /**
   * -
   */
  readonly custom?: CustomBlockSize;
  /**
   * -
   */
  readonly matchVolume?: FeatureState;
}

/** - */
export interface CustomBlockSize {
  /**
   * -
   */
  readonly discardGranularity?: Int;
  /**
   * -
   */
  readonly logical?: Int;
  /**
   * -
   */
  readonly physical?: Int;
}

/** - */
export interface FeatureState {
  /**
   * -
   */
  readonly enabled?: boolean;
}

/** - */
export interface CDRomTarget {
  /**
   * -
   */
  readonly bus?: string;
  /**
   * -
   */
  readonly readonly?: boolean;
  /**
   * -
   */
  readonly tray?: string;
}

/** - */
export interface DiskTarget {
  /**
   * -
   */
  readonly bus?: string;
  /**
   * -
   */
  readonly pciAddress?: string;
  /**
   * -
   */
  readonly readonly?: boolean;
}

/** - */
export interface LunTarget {
  /**
   * -
   */
  readonly bus?: string;
  /**
   * -
   */
  readonly readonly?: boolean;
  /**
   * -
   */
  readonly reservation?: boolean;
}

/** - */
export interface Filesystem {
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly virtiofs: EmptyObject;
}

/** - */
export interface UtilityVolume {
  /**
   * -
   */
  readonly claimName: string;
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly readOnly?: boolean;
  /**
   * -
   */
  readonly type?: string;
}

/** - */
export interface Volume {
  /**
   * -
   */
  readonly cloudInitConfigDrive?: CloudInitSource;
  /**
   * -
   */
  readonly cloudInitNoCloud?: CloudInitSource;
  /**
   * -
   * @mapType atomic
   */
  readonly configMap?: ConfigMapVolumeSource;
  /**
   * -
   */
  readonly containerDisk?: ContainerDiskSource;
  /**
   * -
   */
  readonly containerPath?: ContainerPathVolumeSource;
  /**
   * -
   */
  readonly dataVolume?: DataVolumeSource;
  /**
   * -
   */
  readonly downwardAPI?: DownwardAPIVolumeSource;
  /**
   * -
   */
  readonly downwardMetrics?: EmptyObject;
  /**
   * -
   */
  readonly emptyDisk?: EmptyDiskSource;
  /**
   * -
   */
  readonly ephemeral?: EphemeralVolumeSource;
  /**
   * -
   */
  readonly hostDisk?: HostDisk;
  /**
   * -
   */
  readonly memoryDump?: PersistentVolumeClaimVolumeSource;
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /**
   * -
   */
  readonly secret?: SecretVolumeSource;
  /**
   * -
   */
  readonly serviceAccount?: ServiceAccountVolumeSource;
  /**
   * -
   */
  readonly sysprep?: SysprepSource;
}

/** - */
export interface CloudInitSource {
  /**
   * -
   */
  readonly networkData?: string;
  /**
   * -
   */
  readonly networkDataBase64?: string;
  /**
   * -
   * @mapType atomic
   */
  readonly networkDataSecretRef?: LocalObjectReference;
  /**
   * -
   * @mapType atomic
   */
  readonly secretRef?: LocalObjectReference;
  /**
   * -
   */
  readonly userData?: string;
  /**
   * -
   */
  readonly userDataBase64?: string;
}

/** - */
export interface ConfigMapVolumeSource {
  /**
   * -
   * @default 
   */
  readonly name?: string;
  /**
   * -
   */
  readonly optional?: boolean;
  /**
   * -
   */
  readonly volumeLabel?: string;
}

/** - */
export interface ContainerDiskSource {
  /**
   * -
   */
  readonly image: string;
  /**
   * -
   */
  readonly imagePullPolicy?: string;
  /**
   * -
   */
  readonly imagePullSecret?: string;
  /**
   * -
   */
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
   * @default
   * @validations [{"message":"readOnly must be true, write access is not supported","rule":"self == true"}]
   */
  readonly readOnly?: boolean;
}

/** - */
export interface DataVolumeSource {
  /**
   * -
   */
  readonly hotpluggable?: boolean;
  /**
   * -
   */
  readonly name: string;
}

/** - */
export interface DownwardAPIVolumeSource {
  /**
   * -
   */
  readonly fields?: readonly DownwardAPIVolumeFile[];
  /**
   * -
   */
  readonly volumeLabel?: string;
}

/** - */
export interface DownwardAPIVolumeFile {
  /**
   * -
   * @mapType atomic
   */
  readonly fieldRef?: ObjectFieldSelector;
  /**
   * -
   */
  readonly mode?: Int32;
  /**
   * -
   */
  readonly path: string;
  /**
   * -
   * @mapType atomic
   */
  readonly resourceFieldRef?: ResourceFieldSelector;
}

/** - */
export interface EmptyDiskSource {
  /**
   * -
   */
  readonly capacity: Quantity;
}

/** - */
export interface EphemeralVolumeSource {
  /**
   * -
   */
  readonly persistentVolumeClaim?: EphemeralPVCSource;
}

/** - */
export interface EphemeralPVCSource {
  /**
   * -
   */
  readonly claimName: string;
  /**
   * -
   */
  readonly readOnly?: boolean;
}

/** - */
export interface HostDisk {
  /**
   * -
   */
  readonly capacity?: Quantity;
  /**
   * -
   */
  readonly path: string;
  /**
   * -
   */
  readonly shared?: boolean;
  /**
   * -
   */
  readonly type: string;
}

/** - */
export interface PersistentVolumeClaimVolumeSource {
  /**
   * -
   */
  readonly claimName: string;
  /**
   * -
   */
  readonly hotpluggable?: boolean;
  /**
   * -
   */
  readonly readOnly?: boolean;
}

/** - */
export interface SecretVolumeSource {
  /**
   * -
   */
  readonly optional?: boolean;
  /**
   * -
   */
  readonly secretName?: string;
  /**
   * -
   */
  readonly volumeLabel?: string;
}

/** - */
export interface ServiceAccountVolumeSource {
  /**
   * -
   */
  readonly serviceAccountName?: string;
}

/** - */
export interface SysprepSource {
  /**
   * -
   * @mapType atomic
   */
  readonly configMap?: LocalObjectReference;
  /**
   * -
   * @mapType atomic
   */
  readonly secret?: LocalObjectReference;
}
