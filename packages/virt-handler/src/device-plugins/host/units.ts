/** Devices of the node that are given to one guest at a time. */
import type { HostDeviceKind } from '@podvisor/api';

/** What a container gets together: a PCI or mediated device, or the USB devices of one resource. */
export interface DeviceUnit {
  /** Stable while the devices stay where they are: the kubelet remembers by it who has them. */
  readonly id: string;
  readonly kind: HostDeviceKind;
  /** As the launcher is told: PCI addresses, UUIDs, or bus and device numbers. */
  readonly values: readonly string[];
  /** Device nodes below `/dev` of the node. */
  readonly nodes: readonly string[];
  /** NUMA node of the device, where it has one. */
  readonly numaNode?: number;
}

/** Where the kernel shows its devices; tests have a tree of their own. */
export interface DeviceRoots {
  /** `/sys` */
  readonly sys: string;
  /** `/dev` of the node. */
  readonly dev: string;
}

/** By resource name. */
export type UnitsByResource = ReadonlyMap<string, readonly DeviceUnit[]>;

/** Group of devices that the IOMMU cannot tell apart, and the container device that all groups need. */
export function vfioNodes(iommuGroup: string): readonly string[] {
  return ['/dev/vfio/vfio', `/dev/vfio/${iommuGroup}`];
}
