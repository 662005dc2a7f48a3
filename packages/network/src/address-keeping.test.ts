import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interface, Network, VirtualMachineInstance } from '@podvisor/api';
import { type AddressFacts, addressesThatChange } from './address-keeping.ts';

function vmiWith(nic: Partial<Interface>, network: Partial<Network>): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'default' },
    spec: {
      domain: { devices: { interfaces: [{ name: 'n', ...nic }] } },
      networks: [{ name: 'n', ...network }],
    },
  };
}

const POD_NIC = 'pod1b4538dd2e5';
function facts(podAnnotations: Record<string, unknown> = {}, promise?: string): AddressFacts {
  return {
    podAnnotations: Object.fromEntries(
      Object.entries(podAnnotations).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
    podIps: ['10.1.2.3', 'fd00::3'],
    podInterfaces: new Map([['n', POD_NIC]]),
    promise,
  };
}

const masquerade = vmiWith({ masquerade: {} }, { pod: {} });
const bridge = vmiWith({ bridge: {} }, { pod: {} });
const further = vmiWith({ bridge: {} }, { multus: { networkName: 'blue' } });
const ALLOW = 'kubevirt.io/allow-pod-bridge-network-live-migration';
const given = (selection: object, ips: readonly string[] = ['192.0.2.7']): AddressFacts =>
  facts({
    'k8s.v1.cni.cncf.io/networks': [{ name: 'blue', interface: POD_NIC, ...selection }],
    'k8s.v1.cni.cncf.io/network-status': [
      { name: 'cluster', interface: 'eth0', ips: ['10.1.2.3'], default: true },
      { name: 'default/blue', interface: POD_NIC, ips },
    ],
  });

const kept: readonly (readonly [string, VirtualMachineInstance, AddressFacts])[] = [
  ['the installation vouches for its Pod network', masquerade, facts({}, 'true')],
  ['Kube-OVN', masquerade, facts({ 'ovn.kubernetes.io/virtualmachine': 'vm' })],
  ['OVN-Kubernetes, bridge', bridge, facts({ 'k8s.ovn.org/pod-networks': '{}', [ALLOW]: '' })],
  ['a claimed primary network', masquerade, facts({ 'k8s.ovn.org/primary-udn-ipamclaim': 'vm.n' })],
  [
    'a claimed default network',
    masquerade,
    facts({ 'v1.multus-cni.io/default-network': [{ name: 'x', 'ipam-claim-reference': 'vm.n' }] }),
  ],
  ['a further network without addresses', further, given({}, [])],
  ['a further network with a claim', further, given({ 'ipam-claim-reference': 'vm.n' })],
  ['a further network, address asked for', further, given({ ips: ['192.0.2.7/24'] })],
  ['SR-IOV', vmiWith({ sriov: {} }, { multus: { networkName: 'blue' } }), given({})],
  ['a binding plugin', vmiWith({ binding: { name: 'x' } }, { pod: {} }), facts()],
  ['an interface that leaves', vmiWith({ bridge: {}, state: 'absent' }, { pod: {} }), facts()],
  ['annotations that are no lists', further, facts({ 'k8s.v1.cni.cncf.io/network-status': '{' })],
];
for (const [name, vmi, known] of kept)
  test(`kept: ${name}`, () => assert.deepEqual(addressesThatChange(vmi, known), []));

const changed: readonly (readonly [string, VirtualMachineInstance, AddressFacts, RegExp])[] = [
  ['nobody says anything', masquerade, facts(), /interface n: 10\.1\.2\.3, fd00::3 .* notices nothing/],
  ['the guest has the address itself', bridge, facts(), /has to ask for the new one/],
  ['the installation says no', bridge, facts({ 'ovn.kubernetes.io/virtualmachine': 'vm' }, 'false'), /./],
  ['OVN-Kubernetes, masquerade', masquerade, facts({ 'k8s.ovn.org/pod-networks': '{}', [ALLOW]: '' }), /./],
  [
    'another network stands in for the Pod network',
    masquerade,
    facts({ 'v1.multus-cni.io/default-network': 'default/x' }, 'true'),
    /Pod network/,
  ],
  ['a further network', further, given({}), /192\.0\.2\.7 .*no ipam-claim-reference/],
];
for (const [name, vmi, known, message] of changed)
  test(`changed: ${name}`, () => {
    const [first = '', ...more] = addressesThatChange(vmi, known);
    assert.match(first, message);
    assert.deepEqual(more, []);
  });
