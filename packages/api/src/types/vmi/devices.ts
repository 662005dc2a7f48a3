import type { Disk, Filesystem } from './disk.ts';
import type { FeatureState } from './features.ts';
import type { EmptyObject } from '../kubernetes/meta.ts';
import type { Interface } from './network.ts';

/** Disks, interfaces and all other devices of the guest. */
export interface Devices {
  /** Adds a graphics card and VNC; true when unset. */
  readonly autoattachGraphicsDevice?: boolean;
  /** Adds a tablet, so that the pointer follows the screen; false when unset. */
  readonly autoattachInputDevice?: boolean;
  /** Adds a balloon that reports and gives back memory; true when unset. */
  readonly autoattachMemBalloon?: boolean;
  /** Adds the Pod network when no network is named; true when unset. */
  readonly autoattachPodInterface?: boolean;
  /** Adds a serial console; true when unset. */
  readonly autoattachSerialConsole?: boolean;
  /** Adds a VSOCK device. */
  readonly autoattachVSOCK?: boolean;
  /** Gives virtio disks a queue per vCPU. */
  readonly blockMultiQueue?: boolean;
  /** Lets a client redirect its USB devices into the guest. */
  readonly clientPassthrough?: EmptyObject;
  /** Leaves out the controllers that plugging needs. */
  readonly disableHotplug?: boolean;
  /**
   * Disks, CD-ROMs and LUNs, each with a volume of its name.
   * @maxItems 256
   */
  readonly disks?: readonly Disk[];
  /** A serial port on which the guest reads metrics of its host. */
  readonly downwardMetrics?: EmptyObject;
  /**
   * Filesystems shared with the guest, each with a volume of its name.
   * @listType atomic
   */
  readonly filesystems?: readonly Filesystem[];
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
  /** Input devices. */
  readonly inputs?: readonly Input[];
  /**
   * Network interfaces, each with a network of its name.
   * @maxItems 256
   */
  readonly interfaces?: readonly Interface[];
  /** Copies the serial console to the log of a container; the cluster's default when unset. */
  readonly logSerialConsole?: boolean;
  /** Gives virtio interfaces a queue per vCPU. */
  readonly networkInterfaceMultiqueue?: boolean;
  /** Devices on which the guest tells that it crashed. */
  readonly panicDevices?: readonly PanicDevice[];
  /** A source of randomness. */
  readonly rng?: EmptyObject;
  /** A sound card. */
  readonly sound?: SoundDevice;
  /** A Trusted Platform Module. */
  readonly tpm?: TPMDevice;
  /** Uses virtio devices that old guests know. */
  readonly useVirtioTransitional?: boolean;
  /** The graphics card. */
  readonly video?: VideoDevice;
  /** A watchdog that acts when the guest stops feeding it. */
  readonly watchdog?: Watchdog;
}

/** A GPU: from a device plugin (deviceName) or a resource claim. */
export interface GPU {
  /** Resource claim of the spec that holds the GPU. */
  readonly claimName?: string;
  /** Resource name of the device plugin. */
  readonly deviceName?: string;
  /** Name of the device in the guest's definition. */
  readonly name: string;
  /** Request in the claim. */
  readonly requestName?: string;
  /** Tag that the guest reads through cloud-init. */
  readonly tag?: string;
  /** Options of a virtual GPU. */
  readonly virtualGPUOptions?: VGPUOptions;
}

/** Options of a virtual GPU. */
export interface VGPUOptions {
  /** The display of the virtual GPU. */
  readonly display?: VGPUDisplayOptions;
}

/** The display of a virtual GPU. */
export interface VGPUDisplayOptions {
  /** Whether the GPU has a display; true when unset. */
  readonly enabled?: boolean;
  /** A framebuffer for the time before the driver is loaded; on when unset. */
  readonly ramFB?: FeatureState;
}

/** A device of the node: from a device plugin (deviceName) or a resource claim. */
export interface HostDevice {
  /** Resource claim of the spec that holds the device. */
  readonly claimName?: string;
  /** Resource name of the device plugin. */
  readonly deviceName?: string;
  /** Name of the device in the guest's definition. */
  readonly name: string;
  /** Request in the claim. */
  readonly requestName?: string;
  /** Tag that the guest reads through cloud-init. */
  readonly tag?: string;
}

/** An input device. */
export interface Input {
  /** usb (default) or virtio. */
  readonly bus?: string;
  /** Name of the device. */
  readonly name: string;
  /** Type of the device: tablet. */
  readonly type: string;
}

/** A device on which the guest tells that it crashed. */
export interface PanicDevice {
  /** hyperv, isa or pvpanic. */
  readonly model?: string;
}

/** A sound card. */
export interface SoundDevice {
  /** ich9 (default) or ac97. */
  readonly model?: string;
  /** Name of the device. */
  readonly name: string;
}

/** A Trusted Platform Module. */
export interface TPMDevice {
  /** Whether the device exists; true when unset. */
  readonly enabled?: boolean;
  /** Keeps its state from start to start, in a volume of its own. */
  readonly persistent?: boolean;
}

/** The graphics card. */
export interface VideoDevice {
  /** Type of the card: amd64 vga, cirrus, virtio, ramfb or bochs; arm64 virtio or ramfb; s390x virtio. */
  readonly type?: string;
}

/** A watchdog that acts when the guest stops feeding it. */
export interface Watchdog {
  /** The watchdog of s390x. */
  readonly diag288?: WatchdogTarget;
  /** The watchdog of amd64. */
  readonly i6300esb?: WatchdogTarget;
  /** Name of the device. */
  readonly name: string;
}

/** What a watchdog does. */
export interface WatchdogTarget {
  /** poweroff, reset (default) or shutdown. */
  readonly action?: string;
}
