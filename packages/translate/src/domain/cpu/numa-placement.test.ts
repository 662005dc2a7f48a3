import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import type { ConverterContext } from '../context.ts';
import { convertVmiToDomain } from '../convert.ts';
import { domainToXml } from '../xml.ts';

const device = (bus: string, slot: string) => ({
  type: 'pci',
  managed: 'no',
  mode: 'subsystem',
  source: { address: { type: 'pci', domain: '0x0000', bus: `0x${bus}`, slot: `0x${slot}`, function: '0x0' } },
});

const vmi = (mirrorsHost: boolean): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'vm', namespace: 'ns', uid: 'u' },
  spec: {
    architecture: 'amd64',
    domain: {
      cpu: {
        cores: 4,
        dedicatedCpuPlacement: true,
        ...(mirrorsHost && { numa: { guestMappingPassthrough: {} } }),
      },
      memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } },
      devices: { disableHotplug: true },
    },
  },
});

const context: ConverterContext = {
  interfaces: [],
  allowEmulation: true,
  kvmAvailable: true,
  numaAwarePci: true,
  cpuSet: [0, 1, 4, 5],
  hostTopology: [
    { id: 0, cpus: [{ id: 0 }, { id: 1 }] },
    { id: 1, cpus: [{ id: 4 }, { id: 5 }] },
  ],
  hostDevices: [device('82', '02'), device('81', '01')],
  gpus: [device('c1', '00')],
  deviceNumaNodes: { '0000:81:01.0': 0, '0000:82:02.0': 0, '0000:c1:00.0': 1 },
};

function pciOf(more: Partial<ConverterContext> = {}, mirrorsHost = true) {
  const { devices } = convertVmiToDomain(vmi(mirrorsHost), { ...context, ...more });
  const controllers = (devices?.controllers ?? []).filter(({ type }) => type === 'pci');
  return { controllers, hostDevices: devices?.hostDevices ?? [] };
}

test('each guest cell with devices has a bus of its own, and each device a port on it', () => {
  const { controllers, hostDevices } = pciOf();
  assert.deepEqual(
    controllers.map(({ index, model, target, address }) => [index, model, target ?? address?.bus]),
    [
      [1, 'pcie-expander-bus', { busNr: 253, node: '0' }],
      [2, 'pcie-root-port', '1'],
      [3, 'pcie-root-port', '1'],
      [4, 'pcie-expander-bus', { busNr: 251, node: '1' }],
      [5, 'pcie-root-port', '4'],
    ],
  );
  const busOf = (bus: string) => hostDevices.find(({ source }) => source?.address?.bus === bus)?.address?.bus;
  assert.deepEqual([busOf('0x81'), busOf('0x82'), busOf('0xc1')], ['2', '3', '5']);
});

test('the node of a bus is an element of its own, as libvirt reads it', () => {
  const xml = domainToXml(convertVmiToDomain(vmi(true), context));
  assert.match(xml, /<target busNr='253'>\s*<node>0<\/node>\s*<\/target>/);
});

test('a device that has no place is an error where the guest mirrors the host, and else left alone', () => {
  const deviceNumaNodes = { '0000:81:01.0': 0, '0000:82:02.0': -1, '0000:c1:00.0': 7 };
  assert.throws(
    () => pciOf({ deviceNumaNodes }),
    /^ConversionError: failed to process strict PCIe NUMA-aware topology: .*0000:82:02\.0.*host NUMA node 7/,
  );
  const { controllers, hostDevices } = pciOf({ deviceNumaNodes }, false);
  assert.deepEqual(controllers, []);
  assert.ok(hostDevices.every(({ address }) => address === undefined));
});

test('on a host with one cell every device is beside it', () => {
  const hostTopology = [{ id: 0, cpus: [0, 1, 4, 5].map((id) => ({ id })) }];
  const { controllers } = pciOf({ hostTopology, deviceNumaNodes: undefined });
  assert.deepEqual(
    controllers.map(({ model }) => model),
    ['pcie-expander-bus', 'pcie-root-port', 'pcie-root-port', 'pcie-root-port'],
  );
});

test('without the gate, or on a board without PCIe, nothing is placed', () => {
  assert.deepEqual(pciOf({ numaAwarePci: false }).controllers, []);
});
