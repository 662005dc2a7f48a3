import type { GPU, HostDevice } from '../vmi/devices.ts';
import type { DiskIOThreads, Hugepages, NUMA, Realtime } from '../vmi/domain.ts';
import type { LaunchSecurity } from '../vmi/firmware.ts';
import type { Int, Int32, KubernetesObject, Quantity } from '../kubernetes/meta.ts';

/** CPUs, memory and devices under a name, for the virtual machines of a namespace. */
export interface VirtualMachineInstancetype extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstancetype';
  /** The resources. */
  readonly spec: VirtualMachineInstancetypeSpec;
}

/** CPUs, memory and devices; a machine that names an instance type cannot set them itself. */
export interface VirtualMachineInstancetypeSpec {
  /** Annotations that the guest gets. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The CPUs. */
  readonly cpu: CPUInstancetype;
  /**
   * GPUs of the node.
   * @listType atomic
   */
  readonly gpus?: readonly GPU[];
  /**
   * Other devices of the node.
   * @listType atomic
   */
  readonly hostDevices?: readonly HostDevice[];
  /** Details of the IO threads. */
  readonly ioThreads?: DiskIOThreads;
  /** How disks share IO threads. */
  readonly ioThreadsPolicy?: string;
  /** Encryption of the guest's memory. */
  readonly launchSecurity?: LaunchSecurity;
  /** The memory. */
  readonly memory: MemoryInstancetype;
  /** Labels that the node must have. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Scheduler that places the guest. */
  readonly schedulerName?: string;
}

/** CPUs of an instance type. */
export interface CPUInstancetype {
  /** Pins every vCPU to a CPU of the node. */
  readonly dedicatedCPUPlacement?: boolean;
  /** Number of vCPUs; the preference decides how they are spread. */
  readonly guest: Int32;
  /** Gives the emulator a CPU of its own. */
  readonly isolateEmulatorThread?: boolean;
  /** Sockets that may be reached by plugging CPUs. */
  readonly maxSockets?: Int32;
  /** CPU model. */
  readonly model?: string;
  /** How the node's memory zones are shown to the guest. */
  readonly numa?: NUMA;
  /** Tunes the guest for realtime work. */
  readonly realtime?: Realtime;
}

/** Memory of an instance type. */
export interface MemoryInstancetype {
  /** Memory that the guest sees. */
  readonly guest: Quantity;
  /** Backs the memory with huge pages. */
  readonly hugepages?: Hugepages;
  /** Memory that may be reached by plugging. */
  readonly maxGuest?: Quantity;
  /**
   * Percent of the memory that the Pod does not request.
   * @maximum 100
   * @minimum 0
   */
  readonly overcommitPercent?: Int;
}

/** CPUs, memory and devices under a name, for all virtual machines of the cluster. */
export interface VirtualMachineClusterInstancetype extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineClusterInstancetype';
  /** The resources. */
  readonly spec: VirtualMachineInstancetypeSpec;
}
