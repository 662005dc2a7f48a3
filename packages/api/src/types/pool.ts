import type { LabelSelector, SelectorRequirement } from './kubernetes.ts';
import type { EmbeddedObjectMeta, EmptyObject, Int32, IntOrString, KubernetesObject } from './meta.ts';
import type { VMSpec } from './vm.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachinePool extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachinePool';
  /** - */
  readonly spec: VirtualMachinePoolSpec;
  /** - */
  readonly status?: VirtualMachinePoolStatus;
}

/** - */
export interface VirtualMachinePoolSpec {
  /** - */
  readonly autohealing?: PoolAutohealing;
  /** - */
  readonly maxUnavailable?: IntOrString;
  /** - */
  readonly nameGeneration?: PoolNameGeneration;
  /** - */
  readonly paused?: boolean;
  /**
   * -
   * @minimum 0
   */
  readonly replicas?: Int32;
  /** - */
  readonly scaleInStrategy?: PoolScaleInStrategy;
  /** - */
  readonly selector: LabelSelector;
  /** - */
  readonly updateStrategy?: PoolUpdateStrategy;
  /** - */
  readonly virtualMachineTemplate: VirtualMachineTemplateSpec;
}

/** - */
export interface PoolAutohealing {
  /** - */
  readonly minFailingToStartDuration?: string;
  /**
   * -
   * @minimum 1
   */
  readonly startUpFailureThreshold?: Int32;
}

/** - */
export interface PoolNameGeneration {
  /** - */
  readonly appendIndexToConfigMapRefs?: boolean;
  /** - */
  readonly appendIndexToSecretRefs?: boolean;
}

/** - */
export interface PoolScaleInStrategy {
  /** - */
  readonly opportunistic?: PoolOpportunisticScaleIn;
  /** - */
  readonly proactive?: PoolProactiveScaleIn;
  /** - */
  readonly unmanaged?: EmptyObject;
}

/** - */
export interface PoolOpportunisticScaleIn {
  /** - */
  readonly statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/** - */
export interface PoolProactiveScaleIn {
  /** - */
  readonly selectionPolicy?: PoolSelectionPolicy;
  /** - */
  readonly statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/** - */
export interface PoolSelectionPolicy {
  /** - */
  readonly selectors?: PoolSelectors;
  /** - */
  readonly sortPolicy?: 'AscendingOrder' | 'DescendingOrder' | 'Newest' | 'Oldest' | 'Random';
}

/** - */
export interface PoolSelectors {
  /** - */
  readonly labelSelector?: LabelSelector;
  /** - */
  readonly nodeSelectorRequirementMatcher?: readonly SelectorRequirement[];
}

/** - */
export interface PoolUpdateStrategy {
  /** - */
  readonly opportunistic?: EmptyObject;
  /** - */
  readonly proactive?: PoolProactiveUpdate;
  /** - */
  readonly unmanaged?: EmptyObject;
}

/** - */
export interface PoolProactiveUpdate {
  /** - */
  readonly selectionPolicy?: PoolSelectionPolicy;
}

/** - */
export interface VirtualMachineTemplateSpec {
  /**
   * -
   * @nullable
   */
  readonly metadata?: EmbeddedObjectMeta;
  /** - */
  readonly spec?: VMSpec;
}

/** - */
export interface VirtualMachinePoolStatus {
  /**
   * -
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /** - */
  readonly labelSelector?: string;
  /** - */
  readonly readyReplicas?: Int32;
  /** - */
  readonly replicas?: Int32;
}
