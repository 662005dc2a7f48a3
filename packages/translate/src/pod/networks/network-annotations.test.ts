import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type Interface, type Network } from '@podvisor/api';
import { vmiOf } from '../../testing/vmi.ts';
import { networkAnnotations } from './network-annotations.ts';

const plugin = { binding: { mine: { networkAttachmentDefinition: 'plugins/wire' } } };
const config = clusterConfig({ spec: { configuration: { network: plugin } } });

function annotationsOf(
  interfaces: readonly Interface[],
  networks: readonly Network[],
): Record<string, unknown> {
  const found = networkAnnotations(vmiOf({ devices: { interfaces } }, { networks }), config);
  const list = found['k8s.v1.cni.cncf.io/networks'];
  return list === undefined ? found : { ...found, 'k8s.v1.cni.cncf.io/networks': JSON.parse(list) };
}

test('the Pod network needs nobody', () => {
  assert.deepEqual(annotationsOf([{ name: 'default', bridge: {} }], [{ name: 'default', pod: {} }]), {});
});

test('Istio is told where a masqueraded guest is', () => {
  assert.deepEqual(annotationsOf([{ name: 'default', masquerade: {} }], [{ name: 'default', pod: {} }]), {
    'traffic.sidecar.istio.io/kubevirtInterfaces': 'k6t-eth0',
    'istio.io/reroute-virtual-interfaces': 'k6t-eth0',
  });
});

test('Multus joins every secondary network, under a hashed name, with the MAC that was asked for', () => {
  const interfaces = [
    { name: 'blue', bridge: {}, macAddress: '02:00:00:00:00:07' },
    { name: 'red', bridge: {} },
    { name: 'gone', bridge: {}, state: 'absent' },
  ];
  const networks = [
    { name: 'blue', multus: { networkName: 'other/lan' } },
    { name: 'red', multus: { networkName: 'lan' } },
    { name: 'gone', multus: { networkName: 'lan' } },
  ];
  assert.deepEqual(annotationsOf(interfaces, networks), {
    'k8s.v1.cni.cncf.io/networks': [
      { name: 'lan', namespace: 'other', mac: '02:00:00:00:00:07', interface: 'pod16477688c0e' },
      { name: 'lan', namespace: 'default', interface: 'podb1f51a511f1' },
    ],
  });
});

test('a default Multus network takes the place of the Pod network', () => {
  const networks = [{ name: 'lan', multus: { networkName: 'infra/lan', default: true } }];
  assert.deepEqual(annotationsOf([{ name: 'lan', bridge: {} }], networks), {
    'v1.multus-cni.io/default-network': 'infra/lan',
  });
});

test('a binding plugin brings its own network', () => {
  const interfaces = [{ name: 'default', binding: { name: 'mine' } }];
  assert.deepEqual(annotationsOf(interfaces, [{ name: 'default', pod: {} }]), {
    'k8s.v1.cni.cncf.io/networks': [
      { name: 'wire', namespace: 'plugins', 'cni-args': { logicNetworkName: 'default' } },
    ],
  });
});
