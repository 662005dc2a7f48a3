/**
 * What the conversion needs to know beyond the VMI: the node, the Pod and the files in it. All of it is data, so
 * that a conversion can be repeated anywhere from a recording.
 */
import type { InterfaceAttachment, LauncherDirectories, SyncOptions } from '@podvisor/api';
import type { DomainHostDevice } from './model/devices.ts';

/** A NIC that network phase 1 has prepared; only the name is needed to know that it is attached. */
export type AttachedInterface = Pick<InterfaceAttachment, 'name'> &
  Partial<InterfaceAttachment> & {
    /** How the NIC meets libvirt; `tap` unless told. */
    readonly domainAttachment?: 'tap' | 'managedTap';
  };

/** What is known about one volume of the VMI. */
export interface VolumeFacts {
  /** The PVC behind it is a block device. */
  readonly block?: boolean;
  /** The volume was added while the VM runs. */
  readonly hotplugged?: boolean;
  /** The file or device can be opened with O_DIRECT. Absent: not known, so no cache mode is chosen. */
  readonly directIo?: boolean;
  /** Somebody asked for all blocks to be allocated: discarding would undo that, and native AIO pays. */
  readonly preallocated?: boolean;
  /** All blocks of the file happen to be allocated, so native AIO pays. */
  readonly allocated?: boolean;
  /** Path of a qcow2 overlay that tracks changed blocks of the volume. */
  readonly changedBlockTrackingFile?: string;
  /** The image under an overlay (container disk, ephemeral PVC). */
  readonly backing?: {
    readonly path?: string;
    readonly format: 'raw' | 'qcow2';
    /** It is a device. */
    readonly block?: boolean;
  };
  /** Sector sizes of the volume, for `blockSize.matchVolume`. */
  readonly blockSize?: {
    readonly logicalBytes: number;
    readonly physicalBytes: number;
    /** 0: nothing is given back. */
    readonly discardBytes?: number;
  };
}

/** Where the UEFI firmware is. */
export interface EfiFirmware {
  readonly code: string;
  readonly vars: string;
  readonly secureLoader: boolean;
  /** Let libvirt choose the files by features. */
  readonly autoSelection?: boolean;
}

/** One NUMA cell of the host with the CPUs that we may see. */
export interface HostCell {
  readonly id: number;
  readonly memoryBytes?: number;
  readonly cpus: readonly { readonly id: number; readonly siblings?: readonly number[] }[];
}

/** Facts of node and Pod. A superset of what virt-handler sends with each sync. */
export interface ConverterContext extends Omit<SyncOptions, 'interfaces' | 'volumes'> {
  /** Architecture of the guest when the VMI does not name one; amd64 unless told. */
  readonly architecture?: string;
  /** Architecture of the node; absent: that of the guest. */
  readonly hostArchitecture?: string;
  /** Guests of another architecture than the node's may be emulated (gate CrossArchitectureVirtualization). */
  readonly allowCrossArchitectures?: boolean;
  readonly interfaces: readonly AttachedInterface[];
  /** The decision for this VMI, not what the cluster allows: see `domainSettings`. */
  readonly freePageReporting?: boolean;
  /** Disks stay virtio-transitional although the VMI does not ask for it, because the guest was started so. */
  readonly transitionalDisks?: boolean;
  /**
   * How the NIC meets passt: libvirt starts it and speaks vhost-user (since 11.1), which is the default; or QEMU
   * connects to `port` of the Pod's loopback, where the launcher hands the connection to a passt of its own.
   */
  readonly passtInterface?:
    | { readonly kind: 'vhostuser' }
    | { readonly kind: 'client'; readonly port: number };
  /** By volume name. */
  readonly volumes?: Readonly<Record<string, VolumeFacts>>;
  readonly efi?: EfiFirmware;
  /** EFI guests get a bochs display instead of VGA. */
  readonly bochsForEfiGuests?: boolean;
  /** CPUs that the Pod may use, for dedicated placement. */
  readonly cpuSet?: readonly number[];
  readonly hostTopology?: readonly HostCell[];
  /** Passed-through PCI devices are placed beside the memory they work with (gate PCINUMAAwareTopology). */
  readonly numaAwarePci?: boolean;
  /** NUMA node of PCI devices of the host, by address such as `0000:81:01.0`; negative: none. Absent: nobody looked. */
  readonly deviceNumaNodes?: Readonly<Record<string, number>>;
  readonly hostDevices?: readonly DomainHostDevice[];
  readonly gpus?: readonly DomainHostDevice[];
  readonly sriovDevices?: readonly DomainHostDevice[];
  /** PCI devices are reached through /dev/iommu (gate IOMMUFD). */
  readonly iommufd?: boolean;
  /** SEV parameters of the host. */
  readonly sev?: { readonly cbitpos?: string; readonly reducedPhysBits?: string };
  /** Written into the domain's metadata; the launcher keeps it there across its own restarts. */
  readonly uid?: string;
  /**
   * Slots for memory that is plugged in later. virtio-mem needs none, but older libvirt (9.0) refuses a ceiling
   * without one, and wants a NUMA cell to plug into. None unless told.
   */
  readonly memorySlots?: number;
  /** Script that runs QEMU for guests without KVM (decision 010); absent: QEMU needs none. */
  readonly emulator?: string;
  /** Directories of the Pod that are not where launchers have them. */
  readonly paths?: Partial<LauncherDirectories>;
  /** PCIe ports are kept free for devices that come later; false leaves the board to libvirt. */
  readonly hotplugPorts?: boolean;
}
