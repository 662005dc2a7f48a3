import type { LabelSelector, PersistentVolumeClaimSpec, ResourceRequirementsWithoutClaims, TypedLocalObjectReference, TypedObjectReference } from './kubernetes.ts';
import type { EmbeddedObjectMeta, EmptyObject } from './meta.ts';

/**
 * -
 * @nullable
 */
export interface DataVolumeTemplate {
  /** - */
  readonly apiVersion?: string;
  /** - */
  readonly kind?: string;
  /**
   * -
   * @nullable
   */
  readonly metadata?: EmbeddedObjectMeta;
  /** - */
  readonly spec: DataVolumeSpec;
  /**
   * -
   * @nullable
   */
  readonly status?: EmptyObject;
}

/** - */
export interface DataVolumeSpec {
  /** - */
  readonly checkpoints?: readonly DataVolumeCheckpoint[];
  /** - */
  readonly contentType?: 'kubevirt' | 'archive';
  /** - */
  readonly finalCheckpoint?: boolean;
  /** - */
  readonly preallocation?: boolean;
  /** - */
  readonly priorityClassName?: string;
  /** - */
  readonly pvc?: PersistentVolumeClaimSpec;
  /** - */
  readonly source?: DataVolumeImportSource;
  /** - */
  readonly sourceRef?: DataVolumeSourceRef;
  /** - */
  readonly storage?: StorageSpec;
}

/** - */
export interface DataVolumeCheckpoint {
  /** - */
  readonly current: string;
  /** - */
  readonly previous: string;
}

/** - */
export interface DataVolumeImportSource {
  /** - */
  readonly blank?: EmptyObject;
  /** - */
  readonly gcs?: DataVolumeSourceGCS;
  /** - */
  readonly http?: DataVolumeSourceHTTP;
  /** - */
  readonly imageio?: DataVolumeSourceImageIO;
  /** - */
  readonly pvc?: DataVolumeSourcePVC;
  /** - */
  readonly registry?: DataVolumeSourceRegistry;
  /** - */
  readonly s3?: DataVolumeSourceS3;
  /** - */
  readonly snapshot?: DataVolumeSourcePVC;
  /** - */
  readonly upload?: EmptyObject;
  /** - */
  readonly vddk?: DataVolumeSourceVDDK;
}

/** - */
export interface DataVolumeSourceGCS {
  /** - */
  readonly secretRef?: string;
  /** - */
  readonly url: string;
}

/** - */
export interface DataVolumeSourceHTTP {
  /** - */
  readonly certConfigMap?: string;
  /** - */
  readonly extraHeaders?: readonly string[];
  /** - */
  readonly secretExtraHeaders?: readonly string[];
  /** - */
  readonly secretRef?: string;
  /** - */
  readonly url: string;
}

/** - */
export interface DataVolumeSourceImageIO {
  /** - */
  readonly certConfigMap?: string;
  /** - */
  readonly diskId: string;
  /** - */
  readonly insecureSkipVerify?: boolean;
  /** - */
  readonly secretRef?: string;
  /** - */
  readonly url: string;
}

/** - */
export interface DataVolumeSourcePVC {
  /** - */
  readonly name: string;
  /** - */
  readonly namespace: string;
}

/** - */
export interface DataVolumeSourceRegistry {
  /** - */
  readonly certConfigMap?: string;
  /** - */
  readonly imageStream?: string;
  /** - */
  readonly platform?: PlatformOptions;
  /** - */
  readonly pullMethod?: string;
  /** - */
  readonly secretRef?: string;
  /** - */
  readonly url?: string;
}

/** - */
export interface PlatformOptions {
  /** - */
  readonly architecture?: string;
}

/** - */
export interface DataVolumeSourceS3 {
  /** - */
  readonly certConfigMap?: string;
  /** - */
  readonly secretRef?: string;
  /** - */
  readonly url: string;
}

/** - */
export interface DataVolumeSourceVDDK {
  /** - */
  readonly backingFile?: string;
  /** - */
  readonly extraArgs?: string;
  /** - */
  readonly initImageURL?: string;
  /** - */
  readonly secretRef?: string;
  /** - */
  readonly thumbprint?: string;
  /** - */
  readonly url?: string;
  /** - */
  readonly uuid?: string;
}

/** - */
export interface DataVolumeSourceRef {
  /** - */
  readonly kind: string;
  /** - */
  readonly name: string;
  /** - */
  readonly namespace?: string;
}

/** - */
export interface StorageSpec {
  /** - */
  readonly accessModes?: readonly string[];
  /** - */
  readonly dataSource?: TypedLocalObjectReference;
  /** - */
  readonly dataSourceRef?: TypedObjectReference;
  /** - */
  readonly resources?: ResourceRequirementsWithoutClaims;
  /** - */
  readonly selector?: LabelSelector;
  /** - */
  readonly storageClassName?: string;
  /** - */
  readonly volumeMode?: string;
  /** - */
  readonly volumeName?: string;
}
