import type { ClockOffsetUTC, Timer } from '../vmi/clock.ts';
import type { TPMDevice, VGPUOptions } from '../vmi/devices.ts';
import type { BlockSize } from '../vmi/disk.ts';
import type { CPUFeature } from '../vmi/domain.ts';
import type { FeatureAPIC, FeatureHyperv, FeatureKVM, FeatureState } from '../vmi/features.ts';
import type { EFI, LaunchSecurity } from '../vmi/firmware.ts';
import type { EmptyObject, Int32, Int64, KubernetesObject, Quantity } from '../kubernetes/meta.ts';

/** What virtual machines of a namespace get where they leave something open. */
export interface VirtualMachinePreference extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachinePreference';
  /** The preferred values. */
  readonly spec: VirtualMachinePreferenceSpec;
}

/** Values for what a machine leaves open, and what it needs at least. */
export interface VirtualMachinePreferenceSpec {
  /** Annotations that the guest gets. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The preferred clock. */
  readonly clock?: ClockPreferences;
  /** How vCPUs are spread, and CPU features. */
  readonly cpu?: CPUPreferences;
  /** The preferred devices. */
  readonly devices?: DevicePreferences;
  /** The preferred features. */
  readonly features?: FeaturePreferences;
  /** The preferred firmware. */
  readonly firmware?: FirmwarePreferences;
  /** The preferred machine type. */
  readonly machine?: MachinePreferences;
  /** Old form of cpu.spreadOptions.ratio. */
  readonly preferSpreadSocketToCoreRatio?: Int32;
  /** The preferred architecture. */
  readonly preferredArchitecture?: string;
  /** The preferred encryption. */
  readonly preferredLaunchSecurity?: LaunchSecurity;
  /** The preferred subdomain. */
  readonly preferredSubdomain?: string;
  /** Seconds that the guest may take to shut down. */
  readonly preferredTerminationGracePeriodSeconds?: Int64;
  /** What the guest needs at least. */
  readonly requirements?: PreferenceRequirements;
  /** The preferred storage. */
  readonly volumes?: VolumePreferences;
}

/** The preferred clock. */
export interface ClockPreferences {
  /** Where the clock starts. */
  readonly preferredClockOffset?: ClockOffset;
  /** Timers of the machine. */
  readonly preferredTimer?: Timer;
}

/** Where a clock starts; one is set. */
export interface ClockOffset {
  /** Time zone, such as Europe/Paris. */
  readonly timezone?: string;
  /** UTC, with an optional offset. */
  readonly utc?: ClockOffsetUTC;
}

/** How vCPUs are spread, and CPU features. */
export interface CPUPreferences {
  /** CPU features to require, add or hide. */
  readonly preferredCPUFeatures?: readonly CPUFeature[];
  /** What vCPUs become: sockets (default), cores, threads, spread or any. */
  readonly preferredCPUTopology?: string;
  /** How spread divides them. */
  readonly spreadOptions?: SpreadOptions;
}

/** How vCPUs are spread. */
export interface SpreadOptions {
  /** SocketsCores (default), SocketsCoresThreads or CoresThreads. */
  readonly across?: string;
  /** vCPUs per socket, or threads per core; 2 when unset. */
  readonly ratio?: Int32;
}

/** The preferred devices. */
export interface DevicePreferences {
  /** Whether a graphics card and VNC are added. */
  readonly preferredAutoattachGraphicsDevice?: boolean;
  /** Whether a tablet is added. */
  readonly preferredAutoattachInputDevice?: boolean;
  /** Whether a memory balloon is added. */
  readonly preferredAutoattachMemBalloon?: boolean;
  /** Whether the Pod network is added. */
  readonly preferredAutoattachPodInterface?: boolean;
  /** Whether a serial console is added. */
  readonly preferredAutoattachSerialConsole?: boolean;
  /** Whether virtio disks get a queue per vCPU. */
  readonly preferredBlockMultiQueue?: boolean;
  /** Bus of CD-ROMs. */
  readonly preferredCdromBus?: string;
  /** Whether controllers for plugging are left out. */
  readonly preferredDisableHotplug?: boolean;
  /** Block size of disks. */
  readonly preferredDiskBlockSize?: BlockSize;
  /** Bus of disks. */
  readonly preferredDiskBus?: string;
  /** Caching of disks. */
  readonly preferredDiskCache?: string;
  /** Whether virtio disks get an IO thread of their own. */
  readonly preferredDiskDedicatedIoThread?: boolean;
  /** How disks are read and written. */
  readonly preferredDiskIO?: string;
  /** Bus of input devices. */
  readonly preferredInputBus?: string;
  /** Type of input devices. */
  readonly preferredInputType?: string;
  /** Binds the Pod network with masquerade. */
  readonly preferredInterfaceMasquerade?: EmptyObject;
  /** Model of interfaces. */
  readonly preferredInterfaceModel?: string;
  /** Bus of LUNs. */
  readonly preferredLunBus?: string;
  /** Whether virtio interfaces get a queue per vCPU. */
  readonly preferredNetworkInterfaceMultiQueue?: boolean;
  /** Model of panic devices. */
  readonly preferredPanicDeviceModel?: string;
  /** Adds a source of randomness. */
  readonly preferredRng?: EmptyObject;
  /** Model of sound cards. */
  readonly preferredSoundModel?: string;
  /** Adds a Trusted Platform Module. */
  readonly preferredTPM?: TPMDevice;
  /** Whether virtio devices for old guests are used. */
  readonly preferredUseVirtioTransitional?: boolean;
  /** Type of the graphics card. */
  readonly preferredVideoType?: string;
  /** Options of virtual GPUs. */
  readonly preferredVirtualGPUOptions?: VGPUOptions;
}

/** The preferred features. */
export interface FeaturePreferences {
  /** ACPI tables. */
  readonly preferredAcpi?: FeatureState;
  /** Interrupt controller. */
  readonly preferredApic?: FeatureAPIC;
  /** Enlightenments for Windows guests. */
  readonly preferredHyperv?: FeatureHyperv;
  /** What the guest sees of KVM. */
  readonly preferredKvm?: FeatureKVM;
  /** Paravirtual spinlocks. */
  readonly preferredPvspinlock?: FeatureState;
  /** System management mode. */
  readonly preferredSmm?: FeatureState;
}

/** The preferred firmware. */
export interface FirmwarePreferences {
  /** Boots with EFI, with these settings. */
  readonly preferredEfi?: EFI;
  /** Boots with BIOS. */
  readonly preferredUseBios?: boolean;
  /** Shows BIOS messages on the serial console. */
  readonly preferredUseBiosSerial?: boolean;
  /** Old form of preferredEfi. */
  readonly preferredUseEfi?: boolean;
  /** Old form of preferredEfi.secureBoot. */
  readonly preferredUseSecureBoot?: boolean;
}

/** The preferred machine type. */
export interface MachinePreferences {
  /** The machine type. */
  readonly preferredMachineType?: string;
}

/** What a guest needs at least; less refuses the machine. */
export interface PreferenceRequirements {
  /** Its architecture. */
  readonly architecture?: string;
  /** Its CPUs. */
  readonly cpu?: CPUPreferenceRequirement;
  /** Its memory. */
  readonly memory?: MemoryPreferenceRequirement;
}

/** CPUs that a guest needs. */
export interface CPUPreferenceRequirement {
  /** Number of vCPUs. */
  readonly guest: Int32;
}

/** Memory that a guest needs. */
export interface MemoryPreferenceRequirement {
  /** The memory. */
  readonly guest: Quantity;
}

/** The preferred storage. */
export interface VolumePreferences {
  /** Storage class of DataVolumes. */
  readonly preferredStorageClassName?: string;
}

/** What all virtual machines of the cluster get where they leave something open. */
export interface VirtualMachineClusterPreference extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineClusterPreference';
  /** The preferred values. */
  readonly spec: VirtualMachinePreferenceSpec;
}
