import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interface, Pod, VirtualMachineInstance } from '@podvisor/api';
import { replacementInterfaceName, secondaryInterfaceName } from '@podvisor/translate';
import { POD_NETWORKS } from './pod-networks.ts';
import { otherDefinition, runningPodNetworks } from './replaced-networks.ts';

const first = secondaryInterfaceName('blue');
const second = (reference: string): string => replacementInterfaceName('blue', reference);
const entry = (name: string, nic: string) => ({ name, namespace: 'default', interface: nic });
const podWith = (...entries: object[]): Pod => ({
  metadata: { name: 'p', annotations: { [POD_NETWORKS]: JSON.stringify(entries) } },
  spec: { containers: [] },
});
function vmiOn(networkName: string, used?: string, nic: Partial<Interface> = { bridge: {} }) {
  const vmi: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'v', namespace: 'default' },
    spec: {
      domain: { devices: { interfaces: [{ name: 'blue', ...nic }] } },
      networks: [{ name: 'blue', multus: { networkName } }],
    },
    status: { interfaces: used === undefined ? [] : [{ name: 'blue', podInterfaceName: used }] },
  };
  return vmi;
}
const networks = (vmi: VirtualMachineInstance, pod: Pod): readonly string[] => {
  const desired = vmi.spec.networks?.[0]?.multus?.networkName ?? '';
  const list: unknown = JSON.parse(runningPodNetworks(vmi, pod, JSON.stringify([entry(desired, first)])));
  assert.ok(Array.isArray(list));
  return list.map(({ name, interface: nic }) => `${name} ${nic}`);
};

test('the new network comes beside the old one, and the old one leaves when the guest has changed over', () => {
  const before = podWith(entry('a', first));
  assert.deepEqual(networks(vmiOn('a', first), before), [`a ${first}`]);
  const both = [`a ${first}`, `b ${second('default/b')}`];
  assert.deepEqual(networks(vmiOn('b', first), before), both);
  const between = podWith(entry('a', first), entry('b', second('default/b')));
  assert.deepEqual(networks(vmiOn('b', first), between), both);
  assert.deepEqual(networks(vmiOn('b', second('default/b')), between), [`b ${second('default/b')}`]);
});

test('a mind changed half-way', () => {
  const between = podWith(entry('a', first), entry('b', second('default/b')));
  assert.deepEqual(networks(vmiOn('a', first), between), [`a ${first}`]);
  assert.deepEqual(networks(vmiOn('c', first), between), [`a ${first}`, `c ${second('default/c')}`]);
  // The first NIC is on its way out: it is not counted upon again.
  assert.deepEqual(networks(vmiOn('a', second('default/b')), between), [
    `b ${second('default/b')}`,
    `a ${second('default/a')}`,
  ]);
});

test('devices of the node and of plugins are not exchanged in a running Pod', () => {
  const pod = podWith(entry('a', first));
  for (const nic of [{ sriov: {} }, { binding: { name: 'p' } }])
    assert.deepEqual(networks(vmiOn('b', first, nic), pod), [`a ${first}`]);
});

test('a NIC that is plugged in, and one of others, stay what they are', () => {
  assert.deepEqual(networks(vmiOn('a'), podWith()), [`a ${first}`]);
  const plugin = JSON.stringify([{ name: 'wire', namespace: 'plugins', 'cni-args': {} }]);
  assert.equal(runningPodNetworks(vmiOn('a', first), podWith(), plugin), plugin);
  assert.equal(runningPodNetworks(vmiOn('a', first), podWith(), ''), '');
});

test('which definition the guest uses though its VMI names another', () => {
  const pod = podWith(entry('a', first), entry('b', second('default/b')));
  const other = (vmi: VirtualMachineInstance): string | undefined =>
    otherDefinition(vmi, pod, vmi.spec.networks?.[0] ?? { name: '' });
  assert.equal(other(vmiOn('a', first)), undefined);
  assert.equal(other(vmiOn('default/a', first)), undefined);
  assert.equal(other(vmiOn('b', first)), 'default/a');
  assert.equal(other(vmiOn('b', second('default/b'))), undefined);
});
