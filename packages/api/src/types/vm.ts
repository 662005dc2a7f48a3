import type { LabelSelector } from './kubernetes.ts';
import type { EmptyObject, Int, Int64, Json, KubernetesObject, Quantity, Time } from './meta.ts';
import type { MigratedVolume } from './migration.ts';
import type { DataVolumeSource, Disk, PersistentVolumeClaimVolumeSource } from './storage.ts';
import type { VMISpec } from './vmi.ts';
import type { ChangedBlockTrackingStatus, VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachine extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachine';
  /**
   * -
   */
  readonly spec: VMSpec;
  /**
   * -
   */
  readonly status?: VMStatus;
}

/** - */
export interface VMSpec {
  /**
   * -
   */
  readonly dataVolumeTemplates?: readonly DataVolumeTemplate[];
  /**
   * -
   */
  readonly instancetype?: InstancetypeMatcher;
  /**
   * -
   */
  readonly preference?: InstancetypeMatcher;
  /**
   * -
   */
  readonly runStrategy?: string;
  /**
   * -
   */
  readonly running?: boolean;
  /**
   * -
   */
  readonly template: VMITemplate;
  /**
   * -
   */
  readonly updateVolumesStrategy?: string;
}

/** - */
export interface DataVolumeTemplate {
  /**
   * -
   */
  readonly apiVersion?: string;
  /**
   * -
   */
  readonly kind?: string;
  /**
   * -
   * @nullable
   */
  readonly metadata?: Json;
  /**
   * -
   */
  readonly spec: Spec;
  /**
   * -
   * @nullable
   */
  readonly status?: EmptyObject;
}

/** - */
export interface Spec {
  /**
   * -
   */
  readonly checkpoints?: readonly Checkpoints[];
  /**
   * -
   */
  readonly contentType?: 'kubevirt' | 'archive';
  /**
   * -
   */
  readonly finalCheckpoint?: boolean;
  /**
   * -
   */
  readonly preallocation?: boolean;
  /**
   * -
   */
  readonly priorityClassName?: string;
  /**
   * -
   */
  readonly pvc?: Pvc;
  /**
   * -
   */
  readonly source?: Source;
  /**
   * -
   */
  readonly sourceRef?: SourceRef;
  /**
   * -
   */
  readonly storage?: Storage;
}

/** - */
export interface Checkpoints {
  /**
   * -
   */
  readonly current: string;
  /**
   * -
   */
  readonly previous: string;
}

/** - */
export interface Pvc {
  /**
   * -
   * @listType atomic
   */
  readonly accessModes?: readonly string[];
  /**
   * -
   * @mapType atomic
   */
  readonly dataSource?: DataSource;
  /**
   * -
   */
  readonly dataSourceRef?: DataSourceRef;
  /**
   * -
   */
  readonly resources?: Resources;
  /**
   * -
   * @mapType atomic
   */
  readonly selector?: LabelSelector;
  /**
   * -
   */
  readonly storageClassName?: string;
  /**
   * -
   */
  readonly volumeAttributesClassName?: string;
  /**
   * -
   */
  readonly volumeMode?: string;
  /**
   * -
   */
  readonly volumeName?: string;
}

/** - */
export interface DataSource {
  /**
   * -
   */
  readonly apiGroup?: string;
  /**
   * -
   */
  readonly kind: string;
  /**
   * -
   */
  readonly name: string;
}

/** - */
export interface DataSourceRef {
  /**
   * -
   */
  readonly apiGroup?: string;
  /**
   * -
   */
  readonly kind: string;
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly namespace?: string;
}

/** - */
export interface Resources {
  /**
   * -
   */
  readonly limits?: Readonly<Record<string, Quantity>>;
  /**
   * -
   */
  readonly requests?: Readonly<Record<string, Quantity>>;
}

/** - */
export interface Source {
  /**
   * -
   */
  readonly blank?: EmptyObject;
  /**
   * -
   */
  readonly gcs?: Gcs;
  /**
   * -
   */
  readonly http?: Http;
  /**
   * -
   */
  readonly imageio?: Imageio;
  /**
   * -
   */
  readonly pvc?: SourcePvc;
  /**
   * -
   */
  readonly registry?: Registry;
  /**
   * -
   */
  readonly s3?: S3;
  /**
   * -
   */
  readonly snapshot?: SourcePvc;
  /**
   * -
   */
  readonly upload?: EmptyObject;
  /**
   * -
   */
  readonly vddk?: Vddk;
}

/** - */
export interface Gcs {
  /**
   * -
   */
  readonly secretRef?: string;
  /**
   * -
   */
  readonly url: string;
}

/** - */
export interface Http {
  /**
   * -
   */
  readonly certConfigMap?: string;
  /**
   * -
   */
  readonly extraHeaders?: readonly string[];
  /**
   * -
   */
  readonly secretExtraHeaders?: readonly string[];
  /**
   * -
   */
  readonly secretRef?: string;
  /**
   * -
   */
  readonly url: string;
}

/** - */
export interface Imageio {
  /**
   * -
   */
  readonly certConfigMap?: string;
  /**
   * -
   */
  readonly diskId: string;
  /**
   * -
   */
  readonly insecureSkipVerify?: boolean;
  /**
   * -
   */
  readonly secretRef?: string;
  /**
   * -
   */
  readonly url: string;
}

/** - */
export interface SourcePvc {
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly namespace: string;
}

/** - */
export interface Registry {
  /**
   * -
   */
  readonly certConfigMap?: string;
  /**
   * -
   */
  readonly imageStream?: string;
  /**
   * -
   */
  readonly platform?: Platform;
  /**
   * -
   */
  readonly pullMethod?: string;
  /**
   * -
   */
  readonly secretRef?: string;
  /**
   * -
   */
  readonly url?: string;
}

/** - */
export interface Platform {
  /**
   * -
   */
  readonly architecture?: string;
}

/** - */
export interface S3 {
  /**
   * -
   */
  readonly certConfigMap?: string;
  /**
   * -
   */
  readonly secretRef?: string;
  /**
   * -
   */
  readonly url: string;
}

/** - */
export interface Vddk {
  /**
   * -
   */
  readonly backingFile?: string;
  /**
   * -
   */
  readonly extraArgs?: string;
  /**
   * -
   */
  readonly initImageURL?: string;
  /**
   * -
   */
  readonly secretRef?: string;
  /**
   * -
   */
  readonly thumbprint?: string;
  /**
   * -
   */
  readonly url?: string;
  /**
   * -
   */
  readonly uuid?: string;
}

/** - */
export interface SourceRef {
  /**
   * -
   */
  readonly kind: string;
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly namespace?: string;
}

/** - */
export interface Storage {
  /**
   * -
   */
  readonly accessModes?: readonly string[];
  /**
   * -
   * @mapType atomic
   */
  readonly dataSource?: DataSource;
  /**
   * -
   */
  readonly dataSourceRef?: DataSourceRef;
  /**
   * -
   */
  readonly resources?: Resources;
  /**
   * -
   * @mapType atomic
   */
  readonly selector?: LabelSelector;
  /**
   * -
   */
  readonly storageClassName?: string;
  /**
   * -
   */
  readonly volumeMode?: string;
  /**
   * -
   */
  readonly volumeName?: string;
}

/** - */
export interface InstancetypeMatcher {
  /**
   * -
   */
  readonly inferFromVolume?: string;
  /**
   * -
   */
  readonly inferFromVolumeFailurePolicy?: string;
  /**
   * -
   */
  readonly kind?: string;
  /**
   * -
   */
  readonly name?: string;
  /**
   * -
   */
  readonly revisionName?: string;
}

/** - */
export interface VMITemplate {
  /**
   * -
   * @nullable
   */
  readonly metadata?: Json;
  /**
   * -
   */
  readonly spec?: VMISpec;
}

/** - */
export interface VMStatus {
  /**
   * -
   * @nullable
   */
  readonly changedBlockTracking?: ChangedBlockTrackingStatus;
  /**
   * -
   */
  readonly conditions?: readonly VMICondition[];
  /**
   * -
   */
  readonly created?: boolean;
  /**
   * -
   */
  readonly desiredGeneration?: Int64;
  /**
   * -
   * @nullable
   */
  readonly instancetypeRef?: InstancetypeRef;
  /**
   * -
   * @nullable
   */
  readonly memoryDumpRequest?: MemoryDumpRequest;
  /**
   * -
   */
  readonly observedGeneration?: Int64;
  /**
   * -
   * @nullable
   */
  readonly preferenceRef?: InstancetypeRef;
  /**
   * -
   * @default Stopped
   */
  readonly printableStatus?: string;
  /**
   * -
   */
  readonly ready?: boolean;
  /**
   * -
   */
  readonly restoreInProgress?: string;
  /**
   * -
   */
  readonly runStrategy?: string;
  /**
   * -
   */
  readonly snapshotInProgress?: string;
  /**
   * -
   * @nullable
   */
  readonly startFailure?: StartFailure;
  /**
   * -
   */
  readonly stateChangeRequests?: readonly StateChangeRequest[];
  /**
   * -
   * @listType atomic
   */
  readonly volumeRequests?: readonly VolumeRequest[];
  /**
   * -
   */
  readonly volumeSnapshotStatuses?: readonly VolumeSnapshotStatuses[];
  /**
   * -
   */
  readonly volumeUpdateState?: VolumeUpdateState;
}

/** - */
export interface InstancetypeRef {
  /**
   * -
   */
  readonly controllerRevisionRef?: ControllerRevisionRef;
  /**
   * -
   */
  readonly inferFromVolume?: string;
  /**
   * -
   */
  readonly inferFromVolumeFailurePolicy?: string;
  /**
   * -
   */
  readonly kind?: string;
  /**
   * -
   */
  readonly name?: string;
}

/** - */
export interface ControllerRevisionRef {
  /**
   * -
   */
  readonly name?: string;
}

/** - */
export interface MemoryDumpRequest {
  /**
   * -
   */
  readonly claimName: string;
  /**
   * -
   */
  readonly endTimestamp?: Time;
  /**
   * -
   */
  readonly fileName?: string;
  /**
   * -
   */
  readonly message?: string;
  /**
   * -
   */
  readonly phase: string;
  /**
   * -
   */
  readonly remove?: boolean;
  /**
   * -
   */
  readonly startTimestamp?: Time;
}

/** - */
export interface StartFailure {
  /**
   * -
   */
  readonly consecutiveFailCount?: Int;
  /**
   * -
   */
  readonly lastFailedVMIUID?: string;
  /**
   * -
   */
  readonly retryAfterTimestamp?: Time;
}

/** - */
export interface StateChangeRequest {
  /**
   * -
   */
  readonly action: string;
  /**
   * -
   */
  readonly data?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly uid?: string;
}

/** - */
export interface VolumeRequest {
  /**
   * -
   */
  readonly addVolumeOptions?: AddVolumeOptions;
  /**
   * -
   */
  readonly removeVolumeOptions?: RemoveVolumeOptions;
}

/** - */
export interface AddVolumeOptions {
  /**
   * -
   */
  readonly disk: Disk;
  /**
   * -
   * @listType atomic
   */
  readonly dryRun?: readonly string[];
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly volumeSource: VolumeSource;
}

/** - */
export interface VolumeSource {
  /**
   * -
   */
  readonly dataVolume?: DataVolumeSource;
  /**
   * -
   */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
}

/** - */
export interface RemoveVolumeOptions {
  /**
   * -
   * @listType atomic
   */
  readonly dryRun?: readonly string[];
  /**
   * -
   */
  readonly name: string;
}

/** - */
export interface VolumeSnapshotStatuses {
  /**
   * -
   */
  readonly enabled: boolean;
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly reason?: string;
}

/** - */
export interface VolumeUpdateState {
  /**
   * -
   */
  readonly volumeMigrationState?: VolumeMigrationState;
}

/** - */
export interface VolumeMigrationState {
  /**
   * -
   * @listType atomic
   */
  readonly migratedVolumes?: readonly MigratedVolume[];
}
