import type { DataVolumeTemplate } from './data-volume.ts';
import type { EmbeddedObjectMeta, KubernetesObject } from './meta.ts';
import type { VMStatus } from './vm-status.ts';
import type { VMISpec } from './vmi.ts';

/** - */
export interface VirtualMachine extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachine';
  /** - */
  readonly spec: VMSpec;
  /** - */
  readonly status?: VMStatus;
}

/** - */
export interface VMSpec {
  /** - */
  readonly dataVolumeTemplates?: readonly DataVolumeTemplate[];
  /** - */
  readonly instancetype?: InstancetypeMatcher;
  /** - */
  readonly preference?: InstancetypeMatcher;
  /** - */
  readonly runStrategy?: string;
  /** - */
  readonly running?: boolean;
  /** - */
  readonly template: VMITemplate;
  /** - */
  readonly updateVolumesStrategy?: string;
}

/** - */
export interface InstancetypeMatcher {
  /** - */
  readonly inferFromVolume?: string;
  /** - */
  readonly inferFromVolumeFailurePolicy?: string;
  /** - */
  readonly kind?: string;
  /** - */
  readonly name?: string;
  /** - */
  readonly revisionName?: string;
}

/** - */
export interface VMITemplate {
  /**
   * -
   * @nullable
   */
  readonly metadata?: EmbeddedObjectMeta;
  /** - */
  readonly spec?: VMISpec;
}
