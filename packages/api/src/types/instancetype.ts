import type { GPU, HostDevice, TPMDevice, VGPUOptions } from './devices.ts';
import type { CPUFeature, ClockOffsetUTC, DiskIOThreads, EFI, FeatureAPIC, FeatureHyperv, FeatureKVM, Hugepages, LaunchSecurity, NUMA, Realtime, Timer } from './domain.ts';
import type { EmptyObject, Int, Int32, Int64, KubernetesObject, Quantity } from './meta.ts';
import type { BlockSize, FeatureState } from './storage.ts';

/** - */
export interface VirtualMachineInstancetype extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstancetype';
  /**
   * -
   */
  readonly spec: VirtualMachineInstancetypeSpec;
}

/** - */
export interface VirtualMachineInstancetypeSpec {
  /**
   * -
   */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly cpu: Cpu;
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
  readonly memory: SpecMemory;
  /**
   * -
   */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly schedulerName?: string;
}

/** - */
export interface Cpu {
  /**
   * -
   */
  readonly dedicatedCPUPlacement?: boolean;
  /**
   * -
   */
  readonly guest: Int32;
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
}

/** - */
export interface SpecMemory {
  /**
   * -
   */
  readonly guest: Quantity;
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
   * @maximum 100
   * @minimum 0
   */
  readonly overcommitPercent?: Int;
}

/** - */
export interface VirtualMachineClusterInstancetype extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineClusterInstancetype';
  /**
   * -
   */
  readonly spec: VirtualMachineInstancetypeSpec;
}

/** - */
export interface VirtualMachinePreference extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachinePreference';
  /**
   * -
   */
  readonly spec: VirtualMachinePreferenceSpec;
}

/** - */
export interface VirtualMachinePreferenceSpec {
  /**
   * -
   */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly clock?: PreferenceClock;
  /**
   * -
   */
  readonly cpu?: SpecCpu;
  /**
   * -
   */
  readonly devices?: SpecDevices;
  /**
   * -
   */
  readonly features?: SpecFeatures;
  /**
   * -
   */
  readonly firmware?: SpecFirmware;
  /**
   * -
   */
  readonly machine?: Machine;
  /**
   * -
   */
  readonly preferSpreadSocketToCoreRatio?: Int32;
  /**
   * -
   */
  readonly preferredArchitecture?: string;
  /**
   * -
   */
  readonly preferredLaunchSecurity?: LaunchSecurity;
  /**
   * -
   */
  readonly preferredSubdomain?: string;
  /**
   * -
   */
  readonly preferredTerminationGracePeriodSeconds?: Int64;
  /**
   * -
   */
  readonly requirements?: Requirements;
  /**
   * -
   */
  readonly volumes?: Volumes;
}

/** - */
export interface PreferenceClock {
  /**
   * -
   */
  readonly preferredClockOffset?: PreferredClockOffset;
  /**
   * -
   */
  readonly preferredTimer?: Timer;
}

/** - */
export interface PreferredClockOffset {
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
export interface SpecCpu {
  /**
   * -
   */
  readonly preferredCPUFeatures?: readonly CPUFeature[];
  /**
   * -
   */
  readonly preferredCPUTopology?: string;
  /**
   * -
   */
  readonly spreadOptions?: SpreadOptions;
}

/** - */
export interface SpreadOptions {
  /**
   * -
   */
  readonly across?: string;
  /**
   * -
   */
  readonly ratio?: Int32;
}

/** - */
export interface SpecDevices {
  /**
   * -
   */
  readonly preferredAutoattachGraphicsDevice?: boolean;
  /**
   * -
   */
  readonly preferredAutoattachInputDevice?: boolean;
  /**
   * -
   */
  readonly preferredAutoattachMemBalloon?: boolean;
  /**
   * -
   */
  readonly preferredAutoattachPodInterface?: boolean;
  /**
   * -
   */
  readonly preferredAutoattachSerialConsole?: boolean;
  /**
   * -
   */
  readonly preferredBlockMultiQueue?: boolean;
  /**
   * -
   */
  readonly preferredCdromBus?: string;
  /**
   * -
   */
  readonly preferredDisableHotplug?: boolean;
  /**
   * -
   */
  readonly preferredDiskBlockSize?: BlockSize;
  /**
   * -
   */
  readonly preferredDiskBus?: string;
  /**
   * -
   */
  readonly preferredDiskCache?: string;
  /**
   * -
   */
  readonly preferredDiskDedicatedIoThread?: boolean;
  /**
   * -
   */
  readonly preferredDiskIO?: string;
  /**
   * -
   */
  readonly preferredInputBus?: string;
  /**
   * -
   */
  readonly preferredInputType?: string;
  /**
   * -
   */
  readonly preferredInterfaceMasquerade?: EmptyObject;
  /**
   * -
   */
  readonly preferredInterfaceModel?: string;
  /**
   * -
   */
  readonly preferredLunBus?: string;
  /**
   * -
   */
  readonly preferredNetworkInterfaceMultiQueue?: boolean;
  /**
   * -
   */
  readonly preferredPanicDeviceModel?: string;
  /**
   * -
   */
  readonly preferredRng?: EmptyObject;
  /**
   * -
   */
  readonly preferredSoundModel?: string;
  /**
   * -
   */
  readonly preferredTPM?: TPMDevice;
  /**
   * -
   */
  readonly preferredUseVirtioTransitional?: boolean;
  /**
   * -
   */
  readonly preferredVideoType?: string;
  /**
   * -
   */
  readonly preferredVirtualGPUOptions?: VGPUOptions;
}

/** - */
export interface SpecFeatures {
  /**
   * -
   */
  readonly preferredAcpi?: FeatureState;
  /**
   * -
   */
  readonly preferredApic?: FeatureAPIC;
  /**
   * -
   */
  readonly preferredHyperv?: FeatureHyperv;
  /**
   * -
   */
  readonly preferredKvm?: FeatureKVM;
  /**
   * -
   */
  readonly preferredPvspinlock?: FeatureState;
  /**
   * -
   */
  readonly preferredSmm?: FeatureState;
}

/** - */
export interface SpecFirmware {
  /**
   * -
   */
  readonly preferredEfi?: EFI;
  /**
   * -
   */
  readonly preferredUseBios?: boolean;
  /**
   * -
   */
  readonly preferredUseBiosSerial?: boolean;
  /**
   * -
   */
  readonly preferredUseEfi?: boolean;
  /**
   * -
   */
  readonly preferredUseSecureBoot?: boolean;
}

/** - */
export interface Machine {
  /**
   * -
   */
  readonly preferredMachineType?: string;
}

/** - */
export interface Requirements {
  /**
   * -
   */
  readonly architecture?: string;
  /**
   * -
   */
  readonly cpu?: RequirementsCpu;
  /**
   * -
   */
  readonly memory?: RequirementsMemory;
}

/** - */
export interface RequirementsCpu {
  /**
   * -
   */
  readonly guest: Int32;
}

/** - */
export interface RequirementsMemory {
  /**
   * -
   */
  readonly guest: Quantity;
}

/** - */
export interface Volumes {
  /**
   * -
   */
  readonly preferredStorageClassName?: string;
}

/** - */
export interface VirtualMachineClusterPreference extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineClusterPreference';
  /**
   * -
   */
  readonly spec: VirtualMachinePreferenceSpec;
}
