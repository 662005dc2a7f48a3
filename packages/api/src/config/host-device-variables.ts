/**
 * Names of the variables in which a device plugin tells a launcher which devices it was given; who offers devices
 * (virt-handler, or a vendor's plugin) and who puts them into the guest (virt-launcher) agree on them. Pure.
 */

const PREFIXES = {
  /** PCI addresses, `0000:3b:00.0`. */
  pci: 'PCI_RESOURCE',
  /** UUIDs of mediated devices. */
  mdev: 'MDEV_PCI_RESOURCE',
  /** Bus and device number, `3:12`. */
  usb: 'USB_RESOURCE',
} as const;

export type HostDeviceKind = keyof typeof PREFIXES;

/** `example.com/nvme-a` of PCI → `PCI_RESOURCE_EXAMPLE_COM_NVME_A`; its value is a list with commas. */
export function hostDeviceVariable(kind: HostDeviceKind, resourceName: string): string {
  return `${PREFIXES[kind]}_${resourceName.toUpperCase().replaceAll(/[/.-]/g, '_')}`;
}
