import type { DomainSpec } from '../vmi/domain.ts';
import type { LabelSelector } from '../kubernetes/kubernetes.ts';
import type { KubernetesObject } from '../kubernetes/meta.ts';

/** Deprecated: fills gaps of new instances; use instance types and preferences. */
export interface VirtualMachineInstancePreset extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstancePreset';
  /** What is filled in, and where. */
  readonly spec?: VirtualMachineInstancePresetSpec;
}

/** What is filled in, and where. */
export interface VirtualMachineInstancePresetSpec {
  /** The parts that are filled in. */
  readonly domain?: DomainSpec;
  /** Labels of the instances that it applies to. */
  readonly selector: LabelSelector;
}
