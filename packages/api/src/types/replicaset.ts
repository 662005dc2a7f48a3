import type { LabelSelector } from './kubernetes.ts';
import type { Int32, KubernetesObject } from './meta.ts';
import type { VMITemplate } from './vm.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachineInstanceReplicaSet extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstanceReplicaSet';
  /** - */
  readonly spec: VirtualMachineInstanceReplicaSetSpec;
  /**
   * -
   * @nullable
   */
  readonly status?: VirtualMachineInstanceReplicaSetStatus;
}

/** - */
export interface VirtualMachineInstanceReplicaSetSpec {
  /** - */
  readonly paused?: boolean;
  /** - */
  readonly replicas?: Int32;
  /** - */
  readonly selector: LabelSelector;
  /** - */
  readonly template: VMITemplate;
}

/** - */
export interface VirtualMachineInstanceReplicaSetStatus {
  /** - */
  readonly conditions?: readonly VMICondition[];
  /** - */
  readonly labelSelector?: string;
  /** - */
  readonly readyReplicas?: Int32;
  /** - */
  readonly replicas?: Int32;
}
