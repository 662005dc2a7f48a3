import type { Disk, Filesystem } from './disk.ts';
import type { FeatureState } from './features.ts';
import type { EmptyObject } from './meta.ts';
import type { Interface } from './network.ts';

/** - */
export interface Devices {
  /** - */
  readonly autoattachGraphicsDevice?: boolean;
  /** - */
  readonly autoattachInputDevice?: boolean;
  /** - */
  readonly autoattachMemBalloon?: boolean;
  /** - */
  readonly autoattachPodInterface?: boolean;
  /** - */
  readonly autoattachSerialConsole?: boolean;
  /** - */
  readonly autoattachVSOCK?: boolean;
  /** - */
  readonly blockMultiQueue?: boolean;
  /** - */
  readonly clientPassthrough?: EmptyObject;
  /** - */
  readonly disableHotplug?: boolean;
  /**
   * -
   * @maxItems 256
   */
  readonly disks?: readonly Disk[];
  /** - */
  readonly downwardMetrics?: EmptyObject;
  /**
   * -
   * @listType atomic
   */
  readonly filesystems?: readonly Filesystem[];
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
  readonly inputs?: readonly Input[];
  /**
   * -
   * @maxItems 256
   */
  readonly interfaces?: readonly Interface[];
  /** - */
  readonly logSerialConsole?: boolean;
  /** - */
  readonly networkInterfaceMultiqueue?: boolean;
  /** - */
  readonly panicDevices?: readonly PanicDevice[];
  /** - */
  readonly rng?: EmptyObject;
  /** - */
  readonly sound?: SoundDevice;
  /** - */
  readonly tpm?: TPMDevice;
  /** - */
  readonly useVirtioTransitional?: boolean;
  /** - */
  readonly video?: VideoDevice;
  /** - */
  readonly watchdog?: Watchdog;
}

/** - */
export interface GPU {
  /** - */
  readonly claimName?: string;
  /** - */
  readonly deviceName?: string;
  /** - */
  readonly name: string;
  /** - */
  readonly requestName?: string;
  /** - */
  readonly tag?: string;
  /** - */
  readonly virtualGPUOptions?: VGPUOptions;
}

/** - */
export interface VGPUOptions {
  /** - */
  readonly display?: VGPUDisplayOptions;
}

/** - */
export interface VGPUDisplayOptions {
  /** - */
  readonly enabled?: boolean;
  /** - */
  readonly ramFB?: FeatureState;
}

/** - */
export interface HostDevice {
  /** - */
  readonly claimName?: string;
  /** - */
  readonly deviceName?: string;
  /** - */
  readonly name: string;
  /** - */
  readonly requestName?: string;
  /** - */
  readonly tag?: string;
}

/** - */
export interface Input {
  /** - */
  readonly bus?: string;
  /** - */
  readonly name: string;
  /** - */
  readonly type: string;
}

/** - */
export interface PanicDevice {
  /** - */
  readonly model?: string;
}

/** - */
export interface SoundDevice {
  /** - */
  readonly model?: string;
  /** - */
  readonly name: string;
}

/** - */
export interface TPMDevice {
  /** - */
  readonly enabled?: boolean;
  /** - */
  readonly persistent?: boolean;
}

/** - */
export interface VideoDevice {
  /** - */
  readonly type?: string;
}

/** - */
export interface Watchdog {
  /** - */
  readonly diag288?: WatchdogTarget;
  /** - */
  readonly i6300esb?: WatchdogTarget;
  /** - */
  readonly name: string;
}

/** - */
export interface WatchdogTarget {
  /** - */
  readonly action?: string;
}
