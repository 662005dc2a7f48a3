import type { ClockOffsetUTC, Timer } from './clock.ts';
import type { TPMDevice, VGPUOptions } from './devices.ts';
import type { BlockSize } from './disk.ts';
import type { CPUFeature } from './domain.ts';
import type { FeatureAPIC, FeatureHyperv, FeatureKVM, FeatureState } from './features.ts';
import type { EFI, LaunchSecurity } from './firmware.ts';
import type { EmptyObject, Int32, Int64, KubernetesObject, Quantity } from './meta.ts';

/** - */
export interface VirtualMachinePreference extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachinePreference';
  /** - */
  readonly spec: VirtualMachinePreferenceSpec;
}

/** - */
export interface VirtualMachinePreferenceSpec {
  /** - */
  readonly annotations?: Readonly<Record<string, string>>;
  /** - */
  readonly clock?: ClockPreferences;
  /** - */
  readonly cpu?: CPUPreferences;
  /** - */
  readonly devices?: DevicePreferences;
  /** - */
  readonly features?: FeaturePreferences;
  /** - */
  readonly firmware?: FirmwarePreferences;
  /** - */
  readonly machine?: MachinePreferences;
  /** - */
  readonly preferSpreadSocketToCoreRatio?: Int32;
  /** - */
  readonly preferredArchitecture?: string;
  /** - */
  readonly preferredLaunchSecurity?: LaunchSecurity;
  /** - */
  readonly preferredSubdomain?: string;
  /** - */
  readonly preferredTerminationGracePeriodSeconds?: Int64;
  /** - */
  readonly requirements?: PreferenceRequirements;
  /** - */
  readonly volumes?: VolumePreferences;
}

/** - */
export interface ClockPreferences {
  /** - */
  readonly preferredClockOffset?: ClockOffset;
  /** - */
  readonly preferredTimer?: Timer;
}

/** - */
export interface ClockOffset {
  /** - */
  readonly timezone?: string;
  /** - */
  readonly utc?: ClockOffsetUTC;
}

/** - */
export interface CPUPreferences {
  /** - */
  readonly preferredCPUFeatures?: readonly CPUFeature[];
  /** - */
  readonly preferredCPUTopology?: string;
  /** - */
  readonly spreadOptions?: SpreadOptions;
}

/** - */
export interface SpreadOptions {
  /** - */
  readonly across?: string;
  /** - */
  readonly ratio?: Int32;
}

/** - */
export interface DevicePreferences {
  /** - */
  readonly preferredAutoattachGraphicsDevice?: boolean;
  /** - */
  readonly preferredAutoattachInputDevice?: boolean;
  /** - */
  readonly preferredAutoattachMemBalloon?: boolean;
  /** - */
  readonly preferredAutoattachPodInterface?: boolean;
  /** - */
  readonly preferredAutoattachSerialConsole?: boolean;
  /** - */
  readonly preferredBlockMultiQueue?: boolean;
  /** - */
  readonly preferredCdromBus?: string;
  /** - */
  readonly preferredDisableHotplug?: boolean;
  /** - */
  readonly preferredDiskBlockSize?: BlockSize;
  /** - */
  readonly preferredDiskBus?: string;
  /** - */
  readonly preferredDiskCache?: string;
  /** - */
  readonly preferredDiskDedicatedIoThread?: boolean;
  /** - */
  readonly preferredDiskIO?: string;
  /** - */
  readonly preferredInputBus?: string;
  /** - */
  readonly preferredInputType?: string;
  /** - */
  readonly preferredInterfaceMasquerade?: EmptyObject;
  /** - */
  readonly preferredInterfaceModel?: string;
  /** - */
  readonly preferredLunBus?: string;
  /** - */
  readonly preferredNetworkInterfaceMultiQueue?: boolean;
  /** - */
  readonly preferredPanicDeviceModel?: string;
  /** - */
  readonly preferredRng?: EmptyObject;
  /** - */
  readonly preferredSoundModel?: string;
  /** - */
  readonly preferredTPM?: TPMDevice;
  /** - */
  readonly preferredUseVirtioTransitional?: boolean;
  /** - */
  readonly preferredVideoType?: string;
  /** - */
  readonly preferredVirtualGPUOptions?: VGPUOptions;
}

/** - */
export interface FeaturePreferences {
  /** - */
  readonly preferredAcpi?: FeatureState;
  /** - */
  readonly preferredApic?: FeatureAPIC;
  /** - */
  readonly preferredHyperv?: FeatureHyperv;
  /** - */
  readonly preferredKvm?: FeatureKVM;
  /** - */
  readonly preferredPvspinlock?: FeatureState;
  /** - */
  readonly preferredSmm?: FeatureState;
}

/** - */
export interface FirmwarePreferences {
  /** - */
  readonly preferredEfi?: EFI;
  /** - */
  readonly preferredUseBios?: boolean;
  /** - */
  readonly preferredUseBiosSerial?: boolean;
  /** - */
  readonly preferredUseEfi?: boolean;
  /** - */
  readonly preferredUseSecureBoot?: boolean;
}

/** - */
export interface MachinePreferences {
  /** - */
  readonly preferredMachineType?: string;
}

/** - */
export interface PreferenceRequirements {
  /** - */
  readonly architecture?: string;
  /** - */
  readonly cpu?: CPUPreferenceRequirement;
  /** - */
  readonly memory?: MemoryPreferenceRequirement;
}

/** - */
export interface CPUPreferenceRequirement {
  /** - */
  readonly guest: Int32;
}

/** - */
export interface MemoryPreferenceRequirement {
  /** - */
  readonly guest: Quantity;
}

/** - */
export interface VolumePreferences {
  /** - */
  readonly preferredStorageClassName?: string;
}

/** - */
export interface VirtualMachineClusterPreference extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineClusterPreference';
  /** - */
  readonly spec: VirtualMachinePreferenceSpec;
}
