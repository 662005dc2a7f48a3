import type {
  LabelSelector,
  PersistentVolumeClaimSpec,
  ResourceRequirementsWithoutClaims,
  TypedLocalObjectReference,
  TypedObjectReference,
} from '../kubernetes/kubernetes.ts';
import type { EmbeddedObjectMeta, EmptyObject } from '../kubernetes/meta.ts';

/**
 * A DataVolume that a virtual machine brings along.
 * @nullable
 */
export interface DataVolumeTemplate {
  /** API version of the DataVolume. */
  readonly apiVersion?: string;
  /** Kind of the object: DataVolume. */
  readonly kind?: string;
  /**
   * Name, labels and annotations of the DataVolume.
   * @nullable
   */
  readonly metadata?: EmbeddedObjectMeta;
  /** The DataVolume: what it is filled with, and its storage. */
  readonly spec: DataVolumeSpec;
  /**
   * Ignored; here so that a whole DataVolume can be pasted.
   * @nullable
   */
  readonly status?: EmptyObject;
}

/** What a DataVolume is filled with, and its storage. */
export interface DataVolumeSpec {
  /** Checkpoints of a multi-stage import. */
  readonly checkpoints?: readonly DataVolumeCheckpoint[];
  /** kubevirt for a disk image (default) or archive for files. */
  readonly contentType?: 'kubevirt' | 'archive';
  /** True when the last checkpoint is the end of the import. */
  readonly finalCheckpoint?: boolean;
  /** Takes the whole space at once. */
  readonly preallocation?: boolean;
  /** Priority class of the Pods that fill it. */
  readonly priorityClassName?: string;
  /** The claim, exactly as it is made; excludes storage. */
  readonly pvc?: PersistentVolumeClaimSpec;
  /** Where the data comes from; excludes sourceRef. */
  readonly source?: DataVolumeImportSource;
  /** An object that knows where the data comes from. */
  readonly sourceRef?: DataVolumeSourceRef;
  /** The claim, completed from the storage class; excludes pvc. */
  readonly storage?: StorageSpec;
}

/** A stage of a multi-stage import. */
export interface DataVolumeCheckpoint {
  /** Snapshot to copy up to. */
  readonly current: string;
  /** Snapshot that was copied before. */
  readonly previous: string;
}

/** Where data comes from; exactly one is set. */
export interface DataVolumeImportSource {
  /** Nothing: an empty disk. */
  readonly blank?: EmptyObject;
  /** A bucket of Google Cloud Storage. */
  readonly gcs?: DataVolumeSourceGCS;
  /** A web server. */
  readonly http?: DataVolumeSourceHTTP;
  /** An oVirt server. */
  readonly imageio?: DataVolumeSourceImageIO;
  /** Another claim. */
  readonly pvc?: DataVolumeSourcePVC;
  /** A container image. */
  readonly registry?: DataVolumeSourceRegistry;
  /** An S3 bucket. */
  readonly s3?: DataVolumeSourceS3;
  /** A VolumeSnapshot. */
  readonly snapshot?: DataVolumeSourcePVC;
  /** A client that uploads. */
  readonly upload?: EmptyObject;
  /** A VMware server. */
  readonly vddk?: DataVolumeSourceVDDK;
}

/** A bucket of Google Cloud Storage. */
export interface DataVolumeSourceGCS {
  /** Secret with the credentials. */
  readonly secretRef?: string;
  /** Address of the image. */
  readonly url: string;
}

/** A web server. */
export interface DataVolumeSourceHTTP {
  /** ConfigMap with the server's CA. */
  readonly certConfigMap?: string;
  /** Headers to send. */
  readonly extraHeaders?: readonly string[];
  /** Secrets with headers to send. */
  readonly secretExtraHeaders?: readonly string[];
  /** Secret with user and password. */
  readonly secretRef?: string;
  /** Address of the image. */
  readonly url: string;
}

/** An oVirt server. */
export interface DataVolumeSourceImageIO {
  /** ConfigMap with the server's CA. */
  readonly certConfigMap?: string;
  /** Disk on the server. */
  readonly diskId: string;
  /** Does not check the server's certificate. */
  readonly insecureSkipVerify?: boolean;
  /** Secret with user and password. */
  readonly secretRef?: string;
  /** Address of the server. */
  readonly url: string;
}

/** Another claim, or a VolumeSnapshot. */
export interface DataVolumeSourcePVC {
  /** Its name. */
  readonly name: string;
  /** Its namespace. */
  readonly namespace: string;
}

/** A container image. */
export interface DataVolumeSourceRegistry {
  /** ConfigMap with the registry's CA. */
  readonly certConfigMap?: string;
  /** ImageStream that names the image. */
  readonly imageStream?: string;
  /** Which image of a multi-platform image. */
  readonly platform?: PlatformOptions;
  /** Who pulls: pod (default) or node. */
  readonly pullMethod?: string;
  /** Secret with the credentials. */
  readonly secretRef?: string;
  /** Address of the image, such as docker://quay.io/containerdisks/fedora. */
  readonly url?: string;
}

/** Which image of a multi-platform image. */
export interface PlatformOptions {
  /** CPU architecture. */
  readonly architecture?: string;
}

/** An S3 bucket. */
export interface DataVolumeSourceS3 {
  /** ConfigMap with the server's CA. */
  readonly certConfigMap?: string;
  /** Secret with the keys. */
  readonly secretRef?: string;
  /** Address of the image. */
  readonly url: string;
}

/** A VMware server. */
export interface DataVolumeSourceVDDK {
  /** File of the disk. */
  readonly backingFile?: string;
  /** ConfigMap with further arguments for the library. */
  readonly extraArgs?: string;
  /** Image that holds VMware's library. */
  readonly initImageURL?: string;
  /** Secret with user and password. */
  readonly secretRef?: string;
  /** Fingerprint of the server's certificate. */
  readonly thumbprint?: string;
  /** Address of the server. */
  readonly url?: string;
  /** UUID of the virtual machine. */
  readonly uuid?: string;
}

/** An object that knows where data comes from. */
export interface DataVolumeSourceRef {
  /** Its kind: DataSource. */
  readonly kind: string;
  /** Its name. */
  readonly name: string;
  /** Its namespace; that of the DataVolume when unset. */
  readonly namespace?: string;
}

/** A claim whose gaps are filled from the storage class. */
export interface StorageSpec {
  /** Access modes; chosen by the storage class when unset. */
  readonly accessModes?: readonly string[];
  /** Object that fills the claim. */
  readonly dataSource?: TypedLocalObjectReference;
  /** Object that fills the claim, also of other namespaces. */
  readonly dataSourceRef?: TypedObjectReference;
  /** Size of the claim. */
  readonly resources?: ResourceRequirementsWithoutClaims;
  /** Volumes that may be bound. */
  readonly selector?: LabelSelector;
  /** Storage class; the cluster's default when unset. */
  readonly storageClassName?: string;
  /** Filesystem or Block; chosen by the storage class when unset. */
  readonly volumeMode?: string;
  /** Volume to bind. */
  readonly volumeName?: string;
}
