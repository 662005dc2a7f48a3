import type { Clock } from './clock.ts';
import type { Devices } from './devices.ts';
import type { Features } from './features.ts';
import type { Firmware, LaunchSecurity } from './firmware.ts';
import type { EmptyObject, Int32, Quantity } from '../kubernetes/meta.ts';

/** The virtual machine proper: CPU, memory, devices and firmware. */
export interface DomainSpec {
  /** What the guest reads about its case (SMBIOS type 3). */
  readonly chassis?: Chassis;
  /**
   * The guest's clock and timers.
   * @preserveUnknownFields
   */
  readonly clock?: Clock;
  /** Number, model and features of CPUs. */
  readonly cpu?: CPU;
  /** Disks, interfaces and all other devices. */
  readonly devices: Devices;
  /** Hardware features that are switched on or off. */
  readonly features?: Features;
  /** BIOS or EFI, direct kernel boot, and the identity of the board. */
  readonly firmware?: Firmware;
  /** Details of the IO threads. */
  readonly ioThreads?: DiskIOThreads;
  /** How disks share IO threads: shared, auto or supplementalPool. */
  readonly ioThreadsPolicy?: string;
  /** Encryption of the guest's memory. */
  readonly launchSecurity?: LaunchSecurity;
  /** Type of the emulated machine. */
  readonly machine?: Machine;
  /** Memory of the guest. */
  readonly memory?: Memory;
  /** What a reboot from inside does: Reboot stays in the same process, Terminate ends the instance. */
  readonly rebootPolicy?: 'Reboot' | 'Terminate';
  /** CPU and memory that the launcher Pod asks for. */
  readonly resources?: ResourceRequirements;
}

/** What the guest reads about its case (SMBIOS type 3). */
export interface Chassis {
  /** Asset tag. */
  readonly asset?: string;
  /** Manufacturer. */
  readonly manufacturer?: string;
  /** Serial number. */
  readonly serial?: string;
  /** Stock keeping number. */
  readonly sku?: string;
  /** Version. */
  readonly version?: string;
}

/** Number, model and features of the guest's CPUs. */
export interface CPU {
  /** Cores in a socket. */
  readonly cores?: Int32;
  /** Pins every vCPU to a CPU of the node that nobody else uses. */
  readonly dedicatedCpuPlacement?: boolean;
  /** CPU features to require, add or hide. */
  readonly features?: readonly CPUFeature[];
  /** Gives the emulator a CPU of its own; needs dedicatedCpuPlacement. */
  readonly isolateEmulatorThread?: boolean;
  /** Sockets that may be reached by plugging CPUs. */
  readonly maxSockets?: Int32;
  /** CPU model: a name, host-model or host-passthrough; host-model when unset. */
  readonly model?: string;
  /** How the node's memory zones are shown to the guest. */
  readonly numa?: NUMA;
  /** Tunes the guest for realtime work. */
  readonly realtime?: Realtime;
  /** Sockets of the machine. */
  readonly sockets?: Int32;
  /** Threads in a core. */
  readonly threads?: Int32;
}

/** A CPU feature and what to do with it. */
export interface CPUFeature {
  /** Name of the feature. */
  readonly name: string;
  /** force, require, optional, disable or forbid; require when unset. */
  readonly policy?: string;
}

/** How the node's memory zones are shown to the guest. */
export interface NUMA {
  /** Gives the guest the zones that its pinned CPUs and huge pages come from. */
  readonly guestMappingPassthrough?: EmptyObject;
}

/** Tunes the guest for realtime work. */
export interface Realtime {
  /** vCPUs that run with realtime priority, such as 0-3,^1; all when unset. */
  readonly mask?: string;
}

/** Details of the IO threads. */
export interface DiskIOThreads {
  /** Threads in the pool, for the policy supplementalPool. */
  readonly supplementalPoolThreadCount?: Int32;
}

/** Memory of the guest. */
export interface Memory {
  /** Memory that the guest sees; the Pod's memory request when unset. */
  readonly guest?: Quantity;
  /** Backs the guest's memory with huge pages. */
  readonly hugepages?: Hugepages;
  /** Memory that may be reached by plugging. */
  readonly maxGuest?: Quantity;
  /** Memory beyond the guest's that is kept for it. */
  readonly reservedOverhead?: ReservedOverhead;
}

/** Huge pages behind the guest's memory. */
export interface Hugepages {
  /** Size of a page, such as 2Mi or 1Gi. */
  readonly pageSize?: string;
}

/** Memory beyond the guest's that is kept for it. */
export interface ReservedOverhead {
  /** Memory to add to the Pod's request. */
  readonly addedOverhead?: Quantity;
  /** Whether QEMU may lock all of the guest's memory: Required or NotRequired. */
  readonly memLock?: 'NotRequired' | 'Required';
}

/** CPU and memory that the launcher Pod asks for. */
export interface ResourceRequirements {
  /** The most that the Pod may use. */
  readonly limits?: Readonly<Record<string, Quantity>>;
  /** Leaves the memory of QEMU and libvirt out of the request, so that a node holds more guests. */
  readonly overcommitGuestOverhead?: boolean;
  /** What the Pod is sure to get. */
  readonly requests?: Readonly<Record<string, Quantity>>;
}

/** Type of the emulated machine. */
export interface Machine {
  /** Machine type, such as q35 or virt; the cluster's default for the architecture when empty. */
  readonly type?: string;
}
