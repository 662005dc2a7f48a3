import type { LabelSelector } from '../kubernetes/kubernetes.ts';
import type { Int32, KubernetesObject } from '../kubernetes/meta.ts';
import type { VMITemplate } from './vm.ts';
import type { VMICondition } from '../vmi/vmi-status.ts';

/** Keeps a number of equal instances running. */
export interface VirtualMachineInstanceReplicaSet extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstanceReplicaSet';
  /** How many instances, and what they are. */
  readonly spec: VirtualMachineInstanceReplicaSetSpec;
  /**
   * How many there are.
   * @nullable
   */
  readonly status?: VirtualMachineInstanceReplicaSetStatus;
}

/** How many instances, and what they are. */
export interface VirtualMachineInstanceReplicaSetSpec {
  /** Stops counting: nothing is created or deleted. */
  readonly paused?: boolean;
  /** Number of instances; 1 when unset. */
  readonly replicas?: Int32;
  /** Labels by which the instances are found. */
  readonly selector: LabelSelector;
  /** What the instances are. */
  readonly template: VMITemplate;
}

/** How many instances there are. */
export interface VirtualMachineInstanceReplicaSetStatus {
  /** ReplicaFailure and ReplicaPaused. */
  readonly conditions?: readonly VMICondition[];
  /** The selector as text, for autoscalers. */
  readonly labelSelector?: string;
  /** Instances that are ready. */
  readonly readyReplicas?: Int32;
  /** Instances that exist. */
  readonly replicas?: Int32;
}
