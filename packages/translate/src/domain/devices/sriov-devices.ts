/** `<hostdev>` of SR-IOV interfaces, from what the Pod was told about its networks' devices. Pure. */
import type { Interface, VirtualMachineInstance } from '@podvisor/api';
import type { NetworkDevice } from '../../pod/networks/network-info.ts';
import type { DomainHostDevice } from '../model/devices.ts';
import { ConversionError } from '../part.ts';
import { pciAddress } from './pci-address.ts';

/** SR-IOV interfaces whose device comes with a network of Multus. */
export function sriovInterfaces({ spec }: VirtualMachineInstance): readonly Interface[] {
  return (spec.domain.devices.interfaces ?? []).filter(
    ({ name, sriov, state }) =>
      sriov !== undefined &&
      state !== 'absent' &&
      spec.networks?.some((network) => network.name === name && network.multus !== undefined),
  );
}

/** Throws ConversionError when an interface has no device, or one that is no PCI device. */
export function sriovDevices(
  vmi: VirtualMachineInstance,
  info: readonly NetworkDevice[],
): readonly DomainHostDevice[] {
  return sriovInterfaces(vmi).map((nic) => {
    const field = `spec.domain.devices.interfaces[${vmi.spec.domain.devices.interfaces?.indexOf(nic)}]`;
    const pci = info.find(({ network }) => network === nic.name)?.deviceInfo?.['pci'];
    const address =
      typeof pci === 'object' && pci !== null && 'pci-address' in pci ? pci['pci-address'] : undefined;
    if (typeof address !== 'string')
      throw new ConversionError(`nobody told which PCI device serves the network ${nic.name}`, field);
    return {
      mode: 'subsystem',
      type: 'pci',
      managed: 'no',
      source: { address: pciAddress(address, field, `interface ${nic.name}`) },
      ...(nic.bootOrder === undefined ? {} : { boot: { order: String(nic.bootOrder) } }),
      alias: { name: `ua-sriov-${nic.name}` },
      ...(nic.pciAddress
        ? { address: pciAddress(nic.pciAddress, `${field}.pciAddress`, `interface ${nic.name}`) }
        : {}),
    };
  });
}
