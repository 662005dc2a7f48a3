import type { LabelSelector, SelectorRequirement } from './kubernetes.ts';
import type { EmptyObject, Int32, IntOrString, Json, KubernetesObject } from './meta.ts';
import type { VMSpec } from './vm.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachinePool extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachinePool';
  /**
   * -
   */
  readonly spec: VirtualMachinePoolSpec;
  /**
   * -
   */
  readonly status?: VirtualMachinePoolStatus;
}

/** - */
export interface VirtualMachinePoolSpec {
  /**
   * -
   */
  readonly autohealing?: Autohealing;
  /**
   * -
   */
  readonly maxUnavailable?: IntOrString;
  /**
   * -
   */
  readonly nameGeneration?: NameGeneration;
  /**
   * -
   */
  readonly paused?: boolean;
  /**
   * -
   * @minimum 0
   */
  readonly replicas?: Int32;
  /**
   * -
   */
  readonly scaleInStrategy?: ScaleInStrategy;
  /**
   * -
   * @mapType atomic
   */
  readonly selector: LabelSelector;
  /**
   * -
   */
  readonly updateStrategy?: UpdateStrategy;
  /**
   * -
   */
  readonly virtualMachineTemplate: VirtualMachineTemplate;
}

/** - */
export interface Autohealing {
  /**
   * -
   */
  readonly minFailingToStartDuration?: string;
  /**
   * -
   * @minimum 1
   */
  readonly startUpFailureThreshold?: Int32;
}

/** - */
export interface NameGeneration {
  /**
   * -
   */
  readonly appendIndexToConfigMapRefs?: boolean;
  /**
   * -
   */
  readonly appendIndexToSecretRefs?: boolean;
}

/** - */
export interface ScaleInStrategy {
  /**
   * -
   */
  readonly opportunistic?: Opportunistic;
  /**
   * -
   */
  readonly proactive?: Proactive;
  /**
   * -
   */
  readonly unmanaged?: EmptyObject;
}

/** - */
export interface Opportunistic {
  /**
   * -
   */
  readonly statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/** - */
export interface Proactive {
  /**
   * -
   */
  readonly selectionPolicy?: SelectionPolicy;
  /**
   * -
   */
  readonly statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/** - */
export interface SelectionPolicy {
  /**
   * -
   */
  readonly selectors?: SelectionPolicySelectors;
  /**
   * -
   */
  readonly sortPolicy?: 'AscendingOrder' | 'DescendingOrder' | 'Newest' | 'Oldest' | 'Random';
}

/** - */
export interface SelectionPolicySelectors {
  /**
   * -
   * @mapType atomic
   */
  readonly labelSelector?: LabelSelector;
  /**
   * -
   */
  readonly nodeSelectorRequirementMatcher?: readonly SelectorRequirement[];
}

/** - */
export interface UpdateStrategy {
  /**
   * -
   */
  readonly opportunistic?: EmptyObject;
  /**
   * -
   */
  readonly proactive?: UpdateStrategyProactive;
  /**
   * -
   */
  readonly unmanaged?: EmptyObject;
}

/** - */
export interface UpdateStrategyProactive {
  /**
   * -
   */
  readonly selectionPolicy?: SelectionPolicy;
}

/** - */
export interface VirtualMachineTemplate {
  /**
   * -
   * @nullable
   */
  readonly metadata?: Json;
  /**
   * -
   */
  readonly spec?: VMSpec;
}

/** - */
export interface VirtualMachinePoolStatus {
  /**
   * -
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /**
   * -
   */
  readonly labelSelector?: string;
  /**
   * -
   */
  readonly readyReplicas?: Int32;
  /**
   * -
   */
  readonly replicas?: Int32;
}
