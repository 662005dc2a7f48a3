import type { TypedLocalObjectReference } from './kubernetes.ts';
import type { KubernetesObject, Time } from './meta.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachineClone extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineClone';
  /** - */
  readonly spec: VirtualMachineCloneSpec;
  /** - */
  readonly status?: VirtualMachineCloneStatus;
}

/** - */
export interface VirtualMachineCloneSpec {
  /**
   * -
   * @listType atomic
   */
  readonly annotationFilters?: readonly string[];
  /**
   * -
   * @listType atomic
   */
  readonly labelFilters?: readonly string[];
  /** - */
  readonly newMacAddresses?: Readonly<Record<string, string>>;
  /** - */
  readonly newSMBiosSerial?: string;
  /**
   * -
   * @listType atomic
   */
  readonly patches?: readonly string[];
  /** - */
  readonly source: TypedLocalObjectReference;
  /** - */
  readonly target?: TypedLocalObjectReference;
  /** - */
  readonly template?: VirtualMachineCloneTemplateFilters;
  /** - */
  readonly volumeNamePolicy?: 'RandomizeNames' | 'PrefixTargetName';
}

/** - */
export interface VirtualMachineCloneTemplateFilters {
  /**
   * -
   * @listType atomic
   */
  readonly annotationFilters?: readonly string[];
  /**
   * -
   * @listType atomic
   */
  readonly labelFilters?: readonly string[];
}

/** - */
export interface VirtualMachineCloneStatus {
  /**
   * -
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /**
   * -
   * @nullable
   */
  readonly creationTime?: Time;
  /** - */
  readonly phase?: string;
  /**
   * -
   * @nullable
   */
  readonly restoreName?: string;
  /**
   * -
   * @nullable
   */
  readonly snapshotName?: string;
  /**
   * -
   * @nullable
   */
  readonly targetName?: string;
}
