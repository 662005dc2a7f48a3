/** Answer of the subresource `diskpath`: the disks of a running guest, from the file to what the guest does with it. */

export interface DiskPicture {
  /** Volume of the VMI. */
  readonly volume: string;
  /** Name in the domain, which the guest mostly uses too. */
  readonly target: string;
  readonly bus: string;
  /** File or device that QEMU has open; absent: an empty drive. */
  readonly source?: string;
  /** What an overlay stands on. */
  readonly backing?: string;
  /** Requests since QEMU has the disk, of the guest and of its firmware. */
  readonly reads: number;
  readonly writes: number;
  /** Where the guest's agent says that it is mounted; known only of disks with a serial number. */
  readonly mountedAt?: readonly string[];
}

export interface DiskPath {
  readonly disks: readonly DiskPicture[];
}
