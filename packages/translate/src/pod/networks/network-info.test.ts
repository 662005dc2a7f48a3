import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interface, Network, VirtualMachineInstance } from '@podvisor/api';
import { secondaryInterfaceName } from './network-annotations.ts';
import { networkInfoOf, readNetworkInfo } from './network-info.ts';

const vf = (address: string) => ({ type: 'pci', version: '1.0.0', pci: { 'pci-address': address } });
const entry = (network: string, address?: string) => ({
  name: `default/${network}`,
  interface: secondaryInterfaceName(network),
  mac: '02:00:00:00:00:07',
  dns: {},
  ...(address === undefined ? {} : { 'device-info': vf(address) }),
});

function vmiWith(interfaces: readonly Interface[], networks?: readonly Network[]): VirtualMachineInstance {
  const multus = interfaces.map(({ name }) => ({ name, multus: { networkName: name } }));
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'v', namespace: 'default' },
    spec: { domain: { devices: { interfaces } }, networks: networks ?? multus },
  };
}

test('devices of SR-IOV and plugin networks are told by network, nobody else', () => {
  const vmi = vmiWith([
    { name: 'fast', sriov: {} },
    { name: 'plugged', binding: { name: 'p' } },
    { name: 'plain', bridge: {} },
  ]);
  const status = ['plugged', 'fast', 'plain'].map((name, index) => entry(name, `0000:81:00.${index}`));
  assert.deepEqual(JSON.parse(networkInfoOf(vmi, JSON.stringify(status)) ?? ''), {
    interfaces: [
      { network: 'fast', deviceInfo: vf('0000:81:00.1'), mac: '02:00:00:00:00:07' },
      { network: 'plugged', deviceInfo: vf('0000:81:00.0'), mac: '02:00:00:00:00:07' },
    ],
  });
});

test('a plugin on the Pod network, or on the default of Multus, has the default entry', () => {
  const status = JSON.stringify([
    { name: 'cluster', interface: 'eth0', default: true, 'device-info': vf('0000:3b:00.2') },
  ]);
  for (const network of [
    { name: 'n', pod: {} },
    { name: 'n', multus: { networkName: 'x', default: true } },
  ]) {
    const text = networkInfoOf(vmiWith([{ name: 'n', binding: { name: 'p' } }], [network]), status);
    assert.deepEqual(readNetworkInfo(text ?? ''), [{ network: 'n', deviceInfo: vf('0000:3b:00.2') }]);
  }
});

test('nothing is said before Multus has named a device, and nothing of NICs that leave', () => {
  const vmi = vmiWith([{ name: 'fast', sriov: {} }]);
  const leaving = vmiWith([{ name: 'fast', sriov: {}, state: 'absent' }]);
  const full = JSON.stringify([entry('fast', '0000:81:00.1')]);
  assert.notEqual(networkInfoOf(vmi, full), undefined);
  assert.equal(networkInfoOf(leaving, full), undefined);
  for (const status of [
    undefined,
    '',
    '{',
    '{}',
    '[null, 7]',
    JSON.stringify([entry('fast')]),
    ' '.repeat(70_000),
  ])
    assert.equal(networkInfoOf(vmi, status), undefined);
});

test('what is no network info says nothing', () => {
  for (const text of ['', '{', '[]', '{"interfaces":{}}', '{"interfaces":[null,{"network":7}]}'])
    assert.deepEqual(readNetworkInfo(text), []);
});
