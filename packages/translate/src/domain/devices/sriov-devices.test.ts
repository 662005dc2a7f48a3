import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interface, VirtualMachineInstance } from '@podvisor/api';
import { convertVmiToDomain } from '../convert.ts';
import { sriovDevices, sriovInterfaces } from './sriov-devices.ts';
import { domainToXml } from '../xml.ts';

function vmiWith(nic: Partial<Interface>): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'v', namespace: 'default' },
    spec: {
      domain: {
        memory: { guest: '128Mi' },
        devices: { interfaces: [{ name: 'fast', ...nic }] },
      },
      networks: [{ name: 'fast', multus: { networkName: 'fast' } }],
    },
  };
}

const told = (address: unknown) => [
  { network: 'other', deviceInfo: { type: 'pci', pci: { 'pci-address': '0000:01:00.0' } } },
  { network: 'fast', deviceInfo: { type: 'pci', pci: { 'pci-address': address } } },
];

test('an SR-IOV interface becomes a host device of the domain', () => {
  const vmi = vmiWith({ sriov: {}, bootOrder: 1, pciAddress: '0000:81:01.0' });
  const devices = sriovDevices(vmi, told('0000:3b:02.1'));
  assert.deepEqual(devices, [
    {
      mode: 'subsystem',
      type: 'pci',
      managed: 'no',
      source: { address: { type: 'pci', domain: '0x0000', bus: '0x3b', slot: '0x02', function: '0x1' } },
      boot: { order: '1' },
      alias: { name: 'ua-sriov-fast' },
      address: { type: 'pci', domain: '0x0000', bus: '0x81', slot: '0x01', function: '0x0' },
    },
  ]);
  const domain = convertVmiToDomain(vmi, {
    interfaces: [],
    kvmAvailable: true,
    allowEmulation: false,
    sriovDevices: devices,
  });
  assert.match(domainToXml(domain), /<hostdev[^>]*>[^]*bus="0x3b"|<hostdev[^>]*>[^]*bus='0x3b'/);
});

test('an interface without a device, or with something else than one, is told by its field', () => {
  const vmi = vmiWith({ sriov: {} });
  assert.throws(() => sriovDevices(vmi, []), /which PCI device serves the network fast/);
  assert.throws(() => sriovDevices(vmi, told(7)), /which PCI device serves the network fast/);
  assert.throws(() => sriovDevices(vmi, told('3b:02')), /failed to parse pci address 3b:02/);
});

test('only SR-IOV interfaces that stay ask for a device', () => {
  assert.equal(sriovInterfaces(vmiWith({ sriov: {} })).length, 1);
  assert.deepEqual(sriovInterfaces(vmiWith({ bridge: {} })), []);
  assert.deepEqual(sriovDevices(vmiWith({ sriov: {}, state: 'absent' }), []), []);
});
