import type {
  LabelSelector,
  SelectorRequirement,
  TypedLocalObjectReference,
} from '../kubernetes/kubernetes.ts';
import type {
  EmbeddedObjectMeta,
  EmptyObject,
  Int32,
  IntOrString,
  KubernetesObject,
} from '../kubernetes/meta.ts';
import type { VMSpec } from './vm.ts';
import type { VMICondition } from '../vmi/vmi-status.ts';

/** Keeps a number of equal virtual machines. */
export interface VirtualMachinePool extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachinePool';
  /** How many machines, and what they are. */
  readonly spec: VirtualMachinePoolSpec;
  /** How many there are. */
  readonly status?: VirtualMachinePoolStatus;
}

/** How many machines, and what they are. */
export interface VirtualMachinePoolSpec {
  /** Replaces machines that do not start. */
  readonly autohealing?: PoolAutohealing;
  /** Warm copies go on as the guest that was copied, with its host name, machine id and keys. Podvisor's own. */
  readonly identityless?: boolean;
  /** How many machines may be down during an update, as a number or percentage. */
  readonly maxUnavailable?: IntOrString;
  /** How names inside the machines are made. */
  readonly nameGeneration?: PoolNameGeneration;
  /** Stops counting: nothing is created, changed or deleted. */
  readonly paused?: boolean;
  /**
   * Number of machines; 1 when unset.
   * @minimum 0
   */
  readonly replicas?: Int32;
  /** Which machines go when there are too many. */
  readonly scaleInStrategy?: PoolScaleInStrategy;
  /** Labels by which the machines are found. */
  readonly selector: LabelSelector;
  /** The VirtualMachineSnapshot with memory that every machine is a warm copy of. Podvisor's own. */
  readonly source?: TypedLocalObjectReference;
  /** How a changed template reaches the machines. */
  readonly updateStrategy?: PoolUpdateStrategy;
  /** What the machines are. */
  readonly virtualMachineTemplate: VirtualMachineTemplateSpec;
  /** Machines go on from the memory of `source`, instead of booting. Podvisor's own. */
  readonly warm?: boolean;
}

/** Replaces machines that do not start. */
export interface PoolAutohealing {
  /** How long a machine must fail. */
  readonly minFailingToStartDuration?: string;
  /**
   * How often a machine must fail.
   * @minimum 1
   */
  readonly startUpFailureThreshold?: Int32;
}

/** How names inside the machines of a pool are made. */
export interface PoolNameGeneration {
  /** Adds the machine's number to names of ConfigMaps. */
  readonly appendIndexToConfigMapRefs?: boolean;
  /** Adds the machine's number to names of Secrets. */
  readonly appendIndexToSecretRefs?: boolean;
}

/** Which machines go when there are too many; one is set. */
export interface PoolScaleInStrategy {
  /** Machines go when they are stopped anyway. */
  readonly opportunistic?: PoolOpportunisticScaleIn;
  /** Machines are chosen and deleted. */
  readonly proactive?: PoolProactiveScaleIn;
  /** Nobody goes; the user deletes. */
  readonly unmanaged?: EmptyObject;
}

/** Machines go when they are stopped anyway. */
export interface PoolOpportunisticScaleIn {
  /** What is kept of them: Disabled, Offline or Online. */
  readonly statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/** Machines are chosen and deleted. */
export interface PoolProactiveScaleIn {
  /** Which machines go first. */
  readonly selectionPolicy?: PoolSelectionPolicy;
  /** What is kept of them: Disabled, Offline or Online. */
  readonly statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/** Which machines go first. */
export interface PoolSelectionPolicy {
  /** Machines that go before all others. */
  readonly selectors?: PoolSelectors;
  /** Order among equals: Random, Newest, Oldest, AscendingOrder or DescendingOrder. */
  readonly sortPolicy?: 'AscendingOrder' | 'DescendingOrder' | 'Newest' | 'Oldest' | 'Random';
}

/** Machines that go before all others. */
export interface PoolSelectors {
  /** Labels of the machines. */
  readonly labelSelector?: LabelSelector;
  /** Labels of their nodes. */
  readonly nodeSelectorRequirementMatcher?: readonly SelectorRequirement[];
}

/** How a changed template reaches machines; one is set. */
export interface PoolUpdateStrategy {
  /** When they restart anyway. */
  readonly opportunistic?: EmptyObject;
  /** At once, by restarting them. */
  readonly proactive?: PoolProactiveUpdate;
  /** Never; the user restarts and recreates. */
  readonly unmanaged?: EmptyObject;
}

/** Machines are restarted with the new template. */
export interface PoolProactiveUpdate {
  /** Which machines go first. */
  readonly selectionPolicy?: PoolSelectionPolicy;
}

/** Metadata and spec of the machines that are made from it. */
export interface VirtualMachineTemplateSpec {
  /**
   * Labels and annotations that every machine gets.
   * @nullable
   */
  readonly metadata?: EmbeddedObjectMeta;
  /** The spec of every machine. */
  readonly spec?: VMSpec;
}

/** How many machines there are. */
export interface VirtualMachinePoolStatus {
  /**
   * ReplicaFailure, ReplicaPaused and other conditions.
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /** The selector as text, for autoscalers. */
  readonly labelSelector?: string;
  /** Machines that are ready. */
  readonly readyReplicas?: Int32;
  /** Machines that exist. */
  readonly replicas?: Int32;
}
