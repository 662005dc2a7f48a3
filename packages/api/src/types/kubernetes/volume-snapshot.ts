/** Kinds of snapshot.storage.k8s.io/v1, in so far as Podvisor reads and writes them. */
import type { Quantity, KubernetesObject, ObjectMeta, Time } from './meta.ts';

export interface VolumeSnapshotError {
  readonly message?: string;
  readonly time?: Time;
}

/** A snapshot of a claim, as it is desired. */
export interface VolumeSnapshot extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly source: {
      readonly persistentVolumeClaimName?: string;
      readonly volumeSnapshotContentName?: string;
    };
    readonly volumeSnapshotClassName?: string;
  };
  readonly status?: {
    readonly boundVolumeSnapshotContentName?: string;
    /** The moment that the snapshot shows. */
    readonly creationTime?: Time;
    readonly readyToUse?: boolean;
    /** Smallest claim that it can be restored to. */
    readonly restoreSize?: Quantity;
    readonly error?: VolumeSnapshotError;
  };
}

/** The snapshot on the storage. */
export interface VolumeSnapshotContent extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly driver: string;
    readonly deletionPolicy: 'Delete' | 'Retain';
    readonly source: { readonly volumeHandle?: string; readonly snapshotHandle?: string };
    readonly volumeSnapshotClassName?: string;
    readonly volumeSnapshotRef: {
      readonly apiVersion?: string;
      readonly kind?: string;
      readonly namespace?: string;
      readonly name?: string;
      readonly uid?: string;
      readonly resourceVersion?: string;
    };
    readonly sourceVolumeMode?: string;
  };
  readonly status?: {
    readonly snapshotHandle?: string;
    /** Nanoseconds since 1970. */
    readonly creationTime?: number;
    /** Bytes. */
    readonly restoreSize?: number;
    readonly readyToUse?: boolean;
    readonly error?: VolumeSnapshotError;
  };
}

export interface VolumeSnapshotClass extends KubernetesObject {
  readonly driver: string;
  readonly deletionPolicy: 'Delete' | 'Retain';
  readonly parameters?: Readonly<Record<string, string>>;
}
