import type { FeatureState } from './features.ts';
import type { EmptyObject, Int } from './meta.ts';

/** - */
export interface Disk {
  /** - */
  readonly blockSize?: BlockSize;
  /** - */
  readonly bootOrder?: Int;
  /** - */
  readonly cache?: string;
  /** - */
  readonly cdrom?: CDRomTarget;
  /** - */
  readonly changedBlockTracking?: boolean;
  /** - */
  readonly dedicatedIOThread?: boolean;
  /** - */
  readonly disk?: DiskTarget;
  /** - */
  readonly errorPolicy?: string;
  /** - */
  readonly io?: string;
  /** - */
  readonly lun?: LunTarget;
  /** - */
  readonly name: string;
  /** - */
  readonly serial?: string;
  /** - */
  readonly shareable?: boolean;
  /** - */
  readonly tag?: string;
}

/** - */
export interface BlockSize {
  /** - */
  readonly custom?: CustomBlockSize;
  /** - */
  readonly matchVolume?: FeatureState;
}

/** - */
export interface CustomBlockSize {
  /** - */
  readonly discardGranularity?: Int;
  /** - */
  readonly logical?: Int;
  /** - */
  readonly physical?: Int;
}

/** - */
export interface CDRomTarget {
  /** - */
  readonly bus?: string;
  /** - */
  readonly readonly?: boolean;
  /** - */
  readonly tray?: string;
}

/** - */
export interface DiskTarget {
  /** - */
  readonly bus?: string;
  /** - */
  readonly pciAddress?: string;
  /** - */
  readonly readonly?: boolean;
}

/** - */
export interface LunTarget {
  /** - */
  readonly bus?: string;
  /** - */
  readonly readonly?: boolean;
  /** - */
  readonly reservation?: boolean;
}

/** - */
export interface Filesystem {
  /** - */
  readonly name: string;
  /** - */
  readonly virtiofs: EmptyObject;
}
