import type { DomainSpec } from './domain.ts';
import type { LabelSelector } from './kubernetes.ts';
import type { KubernetesObject } from './meta.ts';

/** - */
export interface VirtualMachineInstancePreset extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstancePreset';
  /** - */
  readonly spec?: VirtualMachineInstancePresetSpec;
}

/** - */
export interface VirtualMachineInstancePresetSpec {
  /** - */
  readonly domain?: DomainSpec;
  /** - */
  readonly selector: LabelSelector;
}
