import type {
  LocalObjectReference,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from '../kubernetes/kubernetes.ts';
import type { EmptyObject, Int32, Quantity } from '../kubernetes/meta.ts';

/** A claim that the launcher uses for the guest. */
export interface UtilityVolume {
  /** Claim of the same namespace. */
  readonly claimName: string;
  /** Name of the volume. */
  readonly name: string;
  /** Refuses writes. */
  readonly readOnly?: boolean;
  /** What it is for: MemoryDump, Backup, Hibernation, MemorySnapshot or MemorySnapshotDisksTaken. */
  readonly type?: string;
}

/** Where the data of a disk or filesystem comes from; exactly one source is set. */
export interface Volume {
  /** Cloud-init data on a ConfigDrive disk. */
  readonly cloudInitConfigDrive?: CloudInitSource;
  /** Cloud-init data on a NoCloud disk. */
  readonly cloudInitNoCloud?: CloudInitSource;
  /** The files of a ConfigMap. */
  readonly configMap?: ConfigMapVolumeSource;
  /** A disk image inside a container image; changes are lost at the end. */
  readonly containerDisk?: ContainerDiskSource;
  /** A directory of the launcher container. */
  readonly containerPath?: ContainerPathVolumeSource;
  /** A DataVolume; the guest starts when it is filled. */
  readonly dataVolume?: DataVolumeSource;
  /** Labels, annotations and other fields of the instance, as files. */
  readonly downwardAPI?: DownwardAPIVolumeSource;
  /** Metrics of the node, as a small disk. */
  readonly downwardMetrics?: EmptyObject;
  /** An empty disk that lives as long as the instance. */
  readonly emptyDisk?: EmptyDiskSource;
  /** A claim that is only read; changes are lost at the end. */
  readonly ephemeral?: EphemeralVolumeSource;
  /** A disk image on the node. */
  readonly hostDisk?: HostDisk;
  /** A claim that receives a dump of the guest's memory. */
  readonly memoryDump?: PersistentVolumeClaimVolumeSource;
  /** Name of the volume. */
  readonly name: string;
  /** A PersistentVolumeClaim. */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** The files of a Secret. */
  readonly secret?: SecretVolumeSource;
  /** The token of a service account. */
  readonly serviceAccount?: ServiceAccountVolumeSource;
  /** Answer files for Windows setup. */
  readonly sysprep?: SysprepSource;
}

/** Data for cloud-init; user and network data each from one place. */
export interface CloudInitSource {
  /** Network configuration, inline. */
  readonly networkData?: string;
  /** Network configuration, inline and base64. */
  readonly networkDataBase64?: string;
  /** Secret that holds the network configuration under networkdata. */
  readonly networkDataSecretRef?: LocalObjectReference;
  /** Secret that holds the user data under userdata. */
  readonly secretRef?: LocalObjectReference;
  /** User data, inline, at most 2048 bytes. */
  readonly userData?: string;
  /** User data, inline and base64. */
  readonly userDataBase64?: string;
}

/**
 * The files of a ConfigMap.
 * @mapType atomic
 */
export interface ConfigMapVolumeSource {
  /**
   * Name of the ConfigMap.
   * @default ""
   */
  readonly name?: string;
  /** Starts also without it. */
  readonly optional?: boolean;
  /** Label of the disk that the guest sees. */
  readonly volumeLabel?: string;
}

/** A disk image inside a container image. */
export interface ContainerDiskSource {
  /** Name of the image. */
  readonly image: string;
  /** When the image is pulled: Always, IfNotPresent or Never. */
  readonly imagePullPolicy?: string;
  /** Secret with the credentials of the registry. */
  readonly imagePullSecret?: string;
  /** Path of the disk in the image; the only file of /disk when unset. */
  readonly path?: string;
}

/** A directory of the launcher container. */
export interface ContainerPathVolumeSource {
  /**
   * Absolute path of the directory.
   * @maxLength 4096
   * @validations [{"message":"path must be absolute (start with '/')","rule":"self.startsWith('/')"},{"message":"path must not contain '..'","rule":"!self.contains('..')"}]
   */
  readonly path: string;
  /**
   * Always true: the guest cannot write.
   * @default true
   * @validations [{"message":"readOnly must be true, write access is not supported","rule":"self == true"}]
   */
  readonly readOnly?: boolean;
}

/** A DataVolume of the same namespace. */
export interface DataVolumeSource {
  /** Whether the volume was plugged and can be unplugged. */
  readonly hotpluggable?: boolean;
  /** Name of the DataVolume. */
  readonly name: string;
}

/** Fields of the instance, as files. */
export interface DownwardAPIVolumeSource {
  /** The files. */
  readonly fields?: readonly DownwardAPIVolumeFile[];
  /** Label of the disk that the guest sees. */
  readonly volumeLabel?: string;
}

/** A file with a field of the instance. */
export interface DownwardAPIVolumeFile {
  /** A field of the metadata. */
  readonly fieldRef?: ObjectFieldSelector;
  /** Permissions of the file. */
  readonly mode?: Int32;
  /** Path of the file. */
  readonly path: string;
  /** A request or limit of the Pod. */
  readonly resourceFieldRef?: ResourceFieldSelector;
}

/** An empty disk that lives as long as the instance. */
export interface EmptyDiskSource {
  /** Size of the disk. */
  readonly capacity: Quantity;
}

/** A claim that is only read. */
export interface EphemeralVolumeSource {
  /** The claim. */
  readonly persistentVolumeClaim?: EphemeralPVCSource;
}

/** A claim that is only read. */
export interface EphemeralPVCSource {
  /** Name of the claim. */
  readonly claimName: string;
  /** Mounts it read-only. */
  readonly readOnly?: boolean;
}

/** A disk image on the node. */
export interface HostDisk {
  /** Size of an image that is created. */
  readonly capacity?: Quantity;
  /** Path on the node. */
  readonly path: string;
  /** Lets several instances use it. */
  readonly shared?: boolean;
  /** Disk needs the image to exist, DiskOrCreate makes it. */
  readonly type: string;
}

/** A claim of the same namespace. */
export interface PersistentVolumeClaimVolumeSource {
  /** Name of the claim. */
  readonly claimName: string;
  /** Whether the volume was plugged and can be unplugged. */
  readonly hotpluggable?: boolean;
  /** Mounts it read-only. */
  readonly readOnly?: boolean;
}

/** The files of a Secret. */
export interface SecretVolumeSource {
  /** Starts also without it. */
  readonly optional?: boolean;
  /** Name of the Secret. */
  readonly secretName?: string;
  /** Label of the disk that the guest sees. */
  readonly volumeLabel?: string;
}

/** The token of a service account. */
export interface ServiceAccountVolumeSource {
  /** Name of the service account. */
  readonly serviceAccountName?: string;
}

/** Answer files for Windows setup; one source is set. */
export interface SysprepSource {
  /** ConfigMap that holds them. */
  readonly configMap?: LocalObjectReference;
  /** Secret that holds them. */
  readonly secret?: LocalObjectReference;
}
