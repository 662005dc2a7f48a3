import type { GPU, HostDevice } from './devices.ts';
import type { DiskIOThreads, Hugepages, NUMA, Realtime } from './domain.ts';
import type { LaunchSecurity } from './firmware.ts';
import type { Int, Int32, KubernetesObject, Quantity } from './meta.ts';

/** - */
export interface VirtualMachineInstancetype extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstancetype';
  /** - */
  readonly spec: VirtualMachineInstancetypeSpec;
}

/** - */
export interface VirtualMachineInstancetypeSpec {
  /** - */
  readonly annotations?: Readonly<Record<string, string>>;
  /** - */
  readonly cpu: CPUInstancetype;
  /**
   * -
   * @listType atomic
   */
  readonly gpus?: readonly GPU[];
  /**
   * -
   * @listType atomic
   */
  readonly hostDevices?: readonly HostDevice[];
  /** - */
  readonly ioThreads?: DiskIOThreads;
  /** - */
  readonly ioThreadsPolicy?: string;
  /** - */
  readonly launchSecurity?: LaunchSecurity;
  /** - */
  readonly memory: MemoryInstancetype;
  /** - */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** - */
  readonly schedulerName?: string;
}

/** - */
export interface CPUInstancetype {
  /** - */
  readonly dedicatedCPUPlacement?: boolean;
  /** - */
  readonly guest: Int32;
  /** - */
  readonly isolateEmulatorThread?: boolean;
  /** - */
  readonly maxSockets?: Int32;
  /** - */
  readonly model?: string;
  /** - */
  readonly numa?: NUMA;
  /** - */
  readonly realtime?: Realtime;
}

/** - */
export interface MemoryInstancetype {
  /** - */
  readonly guest: Quantity;
  /** - */
  readonly hugepages?: Hugepages;
  /** - */
  readonly maxGuest?: Quantity;
  /**
   * -
   * @maximum 100
   * @minimum 0
   */
  readonly overcommitPercent?: Int;
}

/** - */
export interface VirtualMachineClusterInstancetype extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineClusterInstancetype';
  /** - */
  readonly spec: VirtualMachineInstancetypeSpec;
}
