import type { Devices, VideoDevice } from './devices.ts';
import type { EmptyObject, Int, Int32, Quantity } from './meta.ts';
import type { FeatureState } from './storage.ts';

/** - */
export interface DomainSpec {
  /**
   * -
   */
  readonly chassis?: Chassis;
  /**
   * -
   * @preserveUnknownFields
   */
  readonly clock?: Clock;
  /**
   * -
   */
  readonly cpu?: CPU;
  /**
   * -
   */
  readonly devices: Devices;
  /**
   * -
   */
  readonly features?: Features;
  /**
   * -
   */
  readonly firmware?: Firmware;
  /**
   * -
   */
  readonly ioThreads?: DiskIOThreads;
  /**
   * -
   */
  readonly ioThreadsPolicy?: string;
  /**
   * -
   */
  readonly launchSecurity?: LaunchSecurity;
  /**
   * -
   */
  readonly machine?: VideoDevice;
  /**
   * -
   */
  readonly memory?: Memory;
  /**
   * -
   */
  readonly rebootPolicy?: 'Reboot' | 'Terminate';
  /**
   * -
   */
  readonly resources?: ResourceRequirements;
}

/** - */
export interface Chassis {
  /**
   * -
   */
  readonly asset?: string;
  /**
   * -
   */
  readonly manufacturer?: string;
  /**
   * -
   */
  readonly serial?: string;
  /**
   * -
   */
  readonly sku?: string;
  /**
   * -
   */
  readonly version?: string;
}

/** - */
export interface Clock {
  /**
   * -
   */
  readonly timer?: Timer;
  /**
   * -
   */
  readonly timezone?: string;
  /**
   * -
   */
  readonly utc?: ClockOffsetUTC;
}

/** - */
export interface Timer {
  /**
   * -
   */
  readonly hpet?: HPETTimer;
  /**
   * -
   */
  readonly hyperv?: FlagTimer;
  /**
   * -
   */
  readonly kvm?: FlagTimer;
  /**
   * -
   */
  readonly pit?: HPETTimer;
  /**
   * -
   */
  readonly rtc?: RTCTimer;
}

/** - */
export interface HPETTimer {
  /**
   * -
   */
  readonly present?: boolean;
  /**
   * -
   */
  readonly tickPolicy?: string;
}

/** - */
export interface FlagTimer {
  /**
   * -
   */
  readonly present?: boolean;
}

/** - */
export interface RTCTimer {
  /**
   * -
   */
  readonly present?: boolean;
  /**
   * -
   */
  readonly tickPolicy?: string;
  /**
   * -
   */
  readonly track?: string;
}

/** - */
export interface ClockOffsetUTC {
  /**
   * -
   */
  readonly offsetSeconds?: Int;
}

/** - */
export interface CPU {
  /**
   * -
   */
  readonly cores?: Int32;
  /**
   * -
   */
  readonly dedicatedCpuPlacement?: boolean;
  /**
   * -
   */
  readonly features?: readonly CPUFeature[];
  /**
   * -
   */
  readonly isolateEmulatorThread?: boolean;
  /**
   * -
   */
  readonly maxSockets?: Int32;
  /**
   * -
   */
  readonly model?: string;
  /**
   * -
   */
  readonly numa?: NUMA;
  /**
   * -
   */
  readonly realtime?: Realtime;
  /**
   * -
   */
  readonly sockets?: Int32;
  /**
   * -
   */
  readonly threads?: Int32;
}

/** - */
export interface CPUFeature {
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly policy?: string;
}

/** - */
export interface NUMA {
  /**
   * -
   */
  readonly guestMappingPassthrough?: EmptyObject;
}

/** - */
export interface Realtime {
  /**
   * -
   */
  readonly mask?: string;
}

/** - */
export interface Features {
  /**
   * -
   */
  readonly acpi?: FeatureState;
  /**
   * -
   */
  readonly apic?: FeatureAPIC;
  /**
   * -
   */
  readonly hyperv?: FeatureHyperv;
  /**
   * -
   */
  readonly hypervPassthrough?: FeatureState;
  /**
   * -
   */
  readonly kvm?: FeatureKVM;
  /**
   * -
   */
  readonly pvspinlock?: FeatureState;
  /**
   * -
   */
  readonly smm?: FeatureState;
}

/** - */
export interface FeatureAPIC {
  /**
   * -
   */
  readonly enabled?: boolean;
  /**
   * -
   */
  readonly endOfInterrupt?: boolean;
}

/** - */
export interface FeatureHyperv {
  /**
   * -
   */
  readonly evmcs?: FeatureState;
  /**
   * -
   */
  readonly frequencies?: FeatureState;
  /**
   * -
   */
  readonly ipi?: FeatureState;
  /**
   * -
   */
  readonly reenlightenment?: FeatureState;
  /**
   * -
   */
  readonly relaxed?: FeatureState;
  /**
   * -
   */
  readonly reset?: FeatureState;
  /**
   * -
   */
  readonly runtime?: FeatureState;
  /**
   * -
   */
  readonly spinlocks?: FeatureSpinlocks;
  /**
   * -
   */
  readonly synic?: FeatureState;
  /**
   * -
   */
  readonly synictimer?: SyNICTimer;
  /**
   * -
   */
  readonly tlbflush?: TLBFlush;
  /**
   * -
   */
  readonly vapic?: FeatureState;
  /**
   * -
   */
  readonly vendorid?: FeatureVendorID;
  /**
   * -
   */
  readonly vpindex?: FeatureState;
}

/** - */
export interface FeatureSpinlocks {
  /**
   * -
   */
  readonly enabled?: boolean;
  /**
   * -
   */
  readonly spinlocks?: Int32;
}

/** - */
export interface SyNICTimer {
  /**
   * -
   */
  readonly direct?: FeatureState;
  /**
   * -
   */
  readonly enabled?: boolean;
}

/** - */
export interface TLBFlush {
  /**
   * -
   */
  readonly direct?: FeatureState;
  /**
   * -
   */
  readonly enabled?: boolean;
  /**
   * -
   */
  readonly extended?: FeatureState;
}

/** - */
export interface FeatureVendorID {
  /**
   * -
   */
  readonly enabled?: boolean;
  /**
   * -
   */
  readonly vendorid?: string;
}

/** - */
export interface FeatureKVM {
  /**
   * -
   */
  readonly hidden?: boolean;
}

/** - */
export interface Firmware {
  /**
   * -
   */
  readonly acpi?: FirmwareACPI;
  /**
   * -
   */
  readonly bootloader?: Bootloader;
  /**
   * -
   */
  readonly kernelBoot?: KernelBoot;
  /**
   * -
   */
  readonly serial?: string;
  /**
   * -
   */
  readonly uuid?: string;
}

/** - */
export interface FirmwareACPI {
  /**
   * -
   */
  readonly msdmNameRef?: string;
  /**
   * -
   */
  readonly slicNameRef?: string;
}

/** - */
export interface Bootloader {
  /**
   * -
   */
  readonly bios?: BIOS;
  /**
   * -
   */
  readonly efi?: EFI;
}

/** - */
export interface BIOS {
  /**
   * -
   */
  readonly useSerial?: boolean;
}

/** - */
export interface EFI {
  /**
   * -
   */
  readonly persistent?: boolean;
  /**
   * -
   */
  readonly secureBoot?: boolean;
}

/** - */
export interface KernelBoot {
  /**
   * -
   */
  readonly container?: KernelBootContainer;
  /**
   * -
   */
  readonly kernelArgs?: string;
}

/** - */
export interface KernelBootContainer {
  /**
   * -
   */
  readonly image: string;
  /**
   * -
   */
  readonly imagePullPolicy?: string;
  /**
   * -
   */
  readonly imagePullSecret?: string;
  /**
   * -
   */
  readonly initrdPath?: string;
  /**
   * -
   */
  readonly kernelPath?: string;
}

/** - */
export interface DiskIOThreads {
  /**
   * -
   */
  readonly supplementalPoolThreadCount?: Int32;
}

/** - */
export interface LaunchSecurity {
  /**
   * -
   */
  readonly sev?: SEV;
  /**
   * -
   */
  readonly snp?: EmptyObject;
  /**
   * -
   */
  readonly tdx?: EmptyObject;
}

/** - */
export interface SEV {
  /**
   * -
   */
  readonly attestation?: EmptyObject;
  /**
   * -
   */
  readonly dhCert?: string;
  /**
   * -
   */
  readonly policy?: SEVPolicy;
  /**
   * -
   */
  readonly session?: string;
}

/** - */
export interface SEVPolicy {
  /**
   * -
   */
  readonly encryptedState?: boolean;
}

/** - */
export interface Memory {
  /**
   * -
   */
  readonly guest?: Quantity;
  /**
   * -
   */
  readonly hugepages?: Hugepages;
  /**
   * -
   */
  readonly maxGuest?: Quantity;
  /**
   * -
   */
  readonly reservedOverhead?: ReservedOverhead;
}

/** - */
export interface Hugepages {
  /**
   * -
   */
  readonly pageSize?: string;
}

/** - */
export interface ReservedOverhead {
  /**
   * -
   */
  readonly addedOverhead?: Quantity;
  /**
   * -
   */
  readonly memLock?: 'NotRequired' | 'Required';
}

/** - */
export interface ResourceRequirements {
  /**
   * -
   */
  readonly limits?: Readonly<Record<string, Quantity>>;
  /**
   * -
   */
  readonly overcommitGuestOverhead?: boolean;
  /**
   * -
   */
  readonly requests?: Readonly<Record<string, Quantity>>;
}
