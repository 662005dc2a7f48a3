import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interface } from '@podvisor/api';
import { convertOf } from '../../testing/vmi.ts';
import type { ConverterContext } from '../context.ts';
import type { DomainNetworkInterface } from '../model/interface.ts';

const attached: ConverterContext['interfaces'] = [
  {
    name: 'nic',
    binding: 'masquerade',
    tapDevice: 'tap0',
    podInterface: 'eth0',
    mac: '02:00:00:00:00:01',
    mtu: 1450,
  },
];

function nicOf(nic: Partial<Interface>, interfaces = attached): DomainNetworkInterface | undefined {
  const domain = convertOf(
    {
      cpu: { cores: 2 },
      devices: { interfaces: [{ name: 'nic', ...nic }], networkInterfaceMultiqueue: true },
    },
    { networks: [{ name: 'nic', pod: {} }] },
    { interfaces },
  );
  return domain.devices?.interfaces?.[0];
}

test('an attached NIC takes tap, MAC and MTU from network phase 1', () => {
  const nic = nicOf({ masquerade: {} });
  assert.equal(nic?.type, 'ethernet');
  assert.deepEqual(nic?.target, { dev: 'tap0', managed: 'no' });
  assert.deepEqual([nic?.mac?.address, nic?.mtu?.size], ['02:00:00:00:00:01', 1450]);
  assert.equal(nic?.alias?.name, 'ua-nic');
});

test('a NIC without its network is an error that names it', () => {
  assert.throws(
    () => convertOf({ devices: { interfaces: [{ name: 'x', bridge: {} }] } }),
    /failed to find network x/,
  );
});

test('only virtio NICs have queues', () => {
  assert.equal(nicOf({ masquerade: {} })?.driver?.queues, 2);
  assert.equal(nicOf({ masquerade: {}, model: 'e1000' })?.driver, undefined);
});

test('a NIC that may boot keeps its option ROM', () => {
  assert.deepEqual(nicOf({ masquerade: {} })?.rom, { enabled: 'no' });
  const bootable = nicOf({ masquerade: {}, bootOrder: 1 });
  assert.deepEqual([bootable?.rom, bootable?.boot], [undefined, { order: '1' }]);
});

test('SR-IOV and absent NICs are no interfaces', () => {
  assert.equal(nicOf({ sriov: {} }), undefined);
  assert.equal(nicOf({ bridge: {}, state: 'absent' }), undefined);
});

test('link state and PCI address', () => {
  assert.deepEqual(nicOf({ bridge: {}, state: 'down' })?.link, { state: 'down' });
  assert.equal(nicOf({ bridge: {}, pciAddress: '0000:81:01.0' })?.address?.bus, '0x81');
  assert.throws(
    () => nicOf({ bridge: {}, pciAddress: 'nonsense' }),
    /^ConversionError: failed to configure interface \w+: failed to parse pci address nonsense$/,
  );
});

test('passt forwards everything unless ports are listed', () => {
  assert.deepEqual(nicOf({ passtBinding: {} })?.portForwards, [{ proto: 'tcp' }, { proto: 'udp' }]);
  assert.deepEqual(nicOf({ passtBinding: {}, ports: [{ port: 80 }] })?.portForwards, [
    { proto: 'tcp', range: [{ start: 80 }] },
  ]);
});
