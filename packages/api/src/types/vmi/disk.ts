import type { FeatureState } from './features.ts';
import type { EmptyObject, Int } from '../kubernetes/meta.ts';

/** A disk, CD-ROM or LUN; its volume has the same name. */
export interface Disk {
  /** Block size that the guest sees. */
  readonly blockSize?: BlockSize;
  /** Place in the order of boot devices, from 1; unique over disks and interfaces. */
  readonly bootOrder?: Int;
  /**
   * Caching on the node: none, writethrough or writeback; chosen by what the storage can do when unset.
   */
  readonly cache?: string;
  /** Shows the volume as a CD-ROM. */
  readonly cdrom?: CDRomTarget;
  /** Whether changed blocks of this disk are tracked. */
  readonly changedBlockTracking?: boolean;
  /** Gives the disk an IO thread of its own; virtio only. */
  readonly dedicatedIOThread?: boolean;
  /** Shows the volume as a hard disk; the default. */
  readonly disk?: DiskTarget;
  /** What an IO error does: stop (default), ignore, report or enospace. */
  readonly errorPolicy?: string;
  /** How the node reads and writes: native or threads. */
  readonly io?: string;
  /** Hands SCSI commands through to the storage. */
  readonly lun?: LunTarget;
  /** Name of the disk and of its volume. */
  readonly name: string;
  /** Serial number that the guest reads. */
  readonly serial?: string;
  /** Lets several guests write at once; the guests must agree among themselves. */
  readonly shareable?: boolean;
  /** Tag that the guest reads through cloud-init. */
  readonly tag?: string;
}

/** Block size that the guest sees. */
export interface BlockSize {
  /** A size of your own. */
  readonly custom?: CustomBlockSize;
  /** The size of the storage behind the volume. */
  readonly matchVolume?: FeatureState;
}

/** Block sizes in bytes, powers of two from 512. */
export interface CustomBlockSize {
  /** Smallest piece that can be discarded; a multiple of logical. */
  readonly discardGranularity?: Int;
  /** Smallest piece that can be read or written. */
  readonly logical?: Int;
  /** Piece that the storage works with; at least logical. */
  readonly physical?: Int;
}

/** A CD-ROM drive. */
export interface CDRomTarget {
  /** sata, scsi or usb; the architecture's default when unset. */
  readonly bus?: string;
  /** Whether the medium is read-only; true when unset. */
  readonly readonly?: boolean;
  /** open or closed (default). */
  readonly tray?: string;
}

/** A hard disk. */
export interface DiskTarget {
  /** virtio, sata, scsi or usb; sata on amd64 and virtio elsewhere when unset. */
  readonly bus?: string;
  /** PCI address, such as 0000:81:01.0; virtio only. */
  readonly pciAddress?: string;
  /** Refuses writes. */
  readonly readonly?: boolean;
}

/** A LUN whose SCSI commands reach the storage. */
export interface LunTarget {
  /** scsi or sata; the architecture's default when unset. */
  readonly bus?: string;
  /** Refuses writes. */
  readonly readonly?: boolean;
  /** Lets the guest reserve the LUN (SCSI persistent reservations). */
  readonly reservation?: boolean;
}

/** A directory shared with the guest; its volume has the same name. */
export interface Filesystem {
  /** Name of the filesystem, which the guest mounts by, and of its volume. */
  readonly name: string;
  /** Shares it with virtiofs. */
  readonly virtiofs: EmptyObject;
}
