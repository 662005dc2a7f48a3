/** What a defaulter may know beside the object: the configuration, the time, chance, and other objects. */
import type { ClusterConfig } from '../config/cluster-config.ts';
import type { VirtualMachineInstancePreset, VirtualMachinePreferenceSpec } from '../types/index.ts';

export interface DefaultsContext {
  readonly config: ClusterConfig;
  /** RFC 3339, seconds. */
  readonly now: string;
  /** A random UUID. */
  readonly newUuid: () => string;
}

export interface VmiDefaultsContext extends DefaultsContext {
  /** The presets of the VMI's namespace. */
  readonly presets?: readonly VirtualMachineInstancePreset[];
  /** The request comes from virt-controller: the status that it wrote is kept. */
  readonly isController?: boolean;
}

export interface VmDefaultsContext extends DefaultsContext {
  /** The preference that the VM names, if it was found. */
  readonly preference?: VirtualMachinePreferenceSpec;
  /** The architecture label of the DataSource that the VM's disks come from. */
  readonly dataSourceArchitecture?: string;
}

/** The object cannot be completed; the request is refused with this sentence. */
export class DefaultsError extends Error {
  /** HTTP code of the refusal. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.name = 'DefaultsError';
    this.code = code;
  }
}
