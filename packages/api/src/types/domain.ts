import type { Clock } from './clock.ts';
import type { Devices } from './devices.ts';
import type { Features } from './features.ts';
import type { Firmware, LaunchSecurity } from './firmware.ts';
import type { EmptyObject, Int32, Quantity } from './meta.ts';

/** - */
export interface DomainSpec {
  /** - */
  readonly chassis?: Chassis;
  /**
   * -
   * @preserveUnknownFields
   */
  readonly clock?: Clock;
  /** - */
  readonly cpu?: CPU;
  /** - */
  readonly devices: Devices;
  /** - */
  readonly features?: Features;
  /** - */
  readonly firmware?: Firmware;
  /** - */
  readonly ioThreads?: DiskIOThreads;
  /** - */
  readonly ioThreadsPolicy?: string;
  /** - */
  readonly launchSecurity?: LaunchSecurity;
  /** - */
  readonly machine?: Machine;
  /** - */
  readonly memory?: Memory;
  /** - */
  readonly rebootPolicy?: 'Reboot' | 'Terminate';
  /** - */
  readonly resources?: ResourceRequirements;
}

/** - */
export interface Chassis {
  /** - */
  readonly asset?: string;
  /** - */
  readonly manufacturer?: string;
  /** - */
  readonly serial?: string;
  /** - */
  readonly sku?: string;
  /** - */
  readonly version?: string;
}

/** - */
export interface CPU {
  /** - */
  readonly cores?: Int32;
  /** - */
  readonly dedicatedCpuPlacement?: boolean;
  /** - */
  readonly features?: readonly CPUFeature[];
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
  /** - */
  readonly sockets?: Int32;
  /** - */
  readonly threads?: Int32;
}

/** - */
export interface CPUFeature {
  /** - */
  readonly name: string;
  /** - */
  readonly policy?: string;
}

/** - */
export interface NUMA {
  /** - */
  readonly guestMappingPassthrough?: EmptyObject;
}

/** - */
export interface Realtime {
  /** - */
  readonly mask?: string;
}

/** - */
export interface DiskIOThreads {
  /** - */
  readonly supplementalPoolThreadCount?: Int32;
}

/** - */
export interface Memory {
  /** - */
  readonly guest?: Quantity;
  /** - */
  readonly hugepages?: Hugepages;
  /** - */
  readonly maxGuest?: Quantity;
  /** - */
  readonly reservedOverhead?: ReservedOverhead;
}

/** - */
export interface Hugepages {
  /** - */
  readonly pageSize?: string;
}

/** - */
export interface ReservedOverhead {
  /** - */
  readonly addedOverhead?: Quantity;
  /** - */
  readonly memLock?: 'NotRequired' | 'Required';
}

/** - */
export interface ResourceRequirements {
  /** - */
  readonly limits?: Readonly<Record<string, Quantity>>;
  /** - */
  readonly overcommitGuestOverhead?: boolean;
  /** - */
  readonly requests?: Readonly<Record<string, Quantity>>;
}

/** - */
export interface Machine {
  /** - */
  readonly type?: string;
}
