import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VMISpec } from '@podvisor/api';
import { interfaceStatus } from './interface-status.ts';
import { podInterfaceName } from './names.ts';
import { podNicsOf } from './network-status.ts';

const spec: VMISpec = {
  domain: {
    devices: {
      interfaces: [
        { name: 'blue', bridge: {} },
        { name: 'default', masquerade: {} },
      ],
    },
  },
  networks: [
    { name: 'blue', multus: { networkName: 'blue' } },
    { name: 'default', pod: {} },
  ],
};
const domain = [
  {
    name: 'blue',
    mac: '02:00:00:00:00:02',
    source: 'domain' as const,
    queueCount: 1,
    linkState: 'up' as const,
  },
  { name: 'default', mac: '02:00:00:00:00:01', source: 'domain' as const },
];

test('primary first; masquerade shows the Pod, whatever the guest says', () => {
  const agent = [
    {
      mac: '02:00:00:00:00:01',
      guestInterfaceName: 'enp1s0',
      ipAddresses: ['10.0.2.2', 'fe80::1'],
      source: 'guest-agent' as const,
    },
    {
      mac: '02:00:00:00:00:02',
      guestInterfaceName: 'enp2s0',
      ipAddresses: ['192.168.1.9', 'fe80::2'],
      source: 'guest-agent' as const,
    },
    {
      mac: '52:54:00:00:00:09',
      guestInterfaceName: 'docker0',
      ipAddresses: ['172.17.0.1'],
      source: 'guest-agent' as const,
    },
  ];
  const [first, second, third] = interfaceStatus(spec, {
    domain: [...domain, ...agent],
    podIps: ['10.1.0.7', 'fd00::7'],
  });
  assert.deepEqual(first, {
    name: 'default',
    mac: '02:00:00:00:00:01',
    ipAddress: '10.1.0.7',
    ipAddresses: ['10.1.0.7', 'fd00::7'],
    interfaceName: 'enp1s0',
    podInterfaceName: 'eth0',
    infoSource: 'domain, guest-agent',
  });
  assert.deepEqual([second?.name, second?.ipAddresses, second?.linkState], ['blue', ['192.168.1.9'], 'up']);
  assert.deepEqual(third, {
    mac: '52:54:00:00:00:09',
    ipAddress: '172.17.0.1',
    ipAddresses: ['172.17.0.1'],
    interfaceName: 'docker0',
    infoSource: 'guest-agent',
  });
});

test('addresses that a guest made up itself come after those of its Pod', () => {
  const passt: VMISpec = {
    domain: { devices: { interfaces: [{ name: 'default', passtBinding: {} }] } },
    networks: [{ name: 'default', pod: {} }],
  };
  const guest = {
    name: 'default',
    mac: '02:00:00:00:00:01',
    ipAddresses: ['fd00::c5:6fff:feaa:e7a3', 'fe80::2', 'fd00::7', '10.1.0.7'],
    source: 'guest-agent' as const,
  };
  const [nic] = interfaceStatus(passt, { domain: [guest], podIps: ['10.1.0.7', 'fd00::7'] });
  assert.deepEqual(nic?.ipAddresses, ['10.1.0.7', 'fd00::7', 'fd00::c5:6fff:feaa:e7a3']);
  assert.equal(nic?.ipAddress, '10.1.0.7');
});

test('NICs that only the guest knows are few', () => {
  const many = Array.from({ length: 50 }, (_, i) => ({
    mac: `52:54:00:00:00:${i.toString(16).padStart(2, '0')}`,
    source: 'guest-agent' as const,
  }));
  assert.equal(interfaceStatus(spec, { domain: [...domain, ...many], podIps: [] }).length, 12);
});

test('what the controller found stays in the sources', () => {
  const previous = [
    { name: 'blue', infoSource: 'multus-status', podInterfaceName: 'net1', ipAddresses: ['1.2.3.4'] },
  ];
  const blue = interfaceStatus(spec, { domain, podIps: [], previous }).find((i) => i.name === 'blue');
  assert.deepEqual(
    [blue?.infoSource, blue?.podInterfaceName, blue?.ipAddress],
    ['domain, multus-status', 'net1', '1.2.3.4'],
  );
});

test('a NIC that the launcher has merged with the view of the guest', () => {
  const merged = {
    name: 'default',
    mac: '02:00:00:00:00:01',
    guestInterfaceName: 'eth0',
    ipAddresses: ['10.0.2.2'],
    source: 'guest-agent' as const,
  };
  const list = interfaceStatus(spec, { domain: [merged], podIps: ['10.1.0.7'] });
  assert.equal(list.length, 1);
  assert.deepEqual(
    [list[0]?.name, list[0]?.ipAddress, list[0]?.interfaceName, list[0]?.infoSource],
    ['default', '10.1.0.7', 'eth0', 'domain, guest-agent'],
  );
});

test('a further network without an agent: addresses and names from the Pod; the NIC in use counts', () => {
  const podNics = podNicsOf({
    'k8s.v1.cni.cncf.io/network-status': JSON.stringify([
      { name: 'cluster', interface: 'eth0', default: true, ips: ['10.1.0.7'] },
      {
        name: 'default/blue',
        interface: 'podb0a6cc3d3f4',
        ips: ['10.7.0.2', 'fd07::2'],
        mac: '02:00:00:00:00:02',
      },
    ]),
  });
  const status = interfaceStatus(spec, {
    domain,
    podIps: ['10.1.0.7'],
    podNics,
    podNames: new Map([['blue', 'podb0a6cc3d3f4']]),
    previous: [
      { name: 'blue', podInterfaceName: 'pod00000000000', ipAddress: '10.6.0.2', ipAddresses: ['10.6.0.2'] },
    ],
  })[1];
  assert.deepEqual(status, {
    name: 'blue',
    mac: '02:00:00:00:00:02',
    ipAddress: '10.7.0.2',
    ipAddresses: ['10.7.0.2', 'fd07::2'],
    podInterfaceName: 'podb0a6cc3d3f4',
    infoSource: 'domain, multus-status',
    queueCount: 1,
    linkState: 'up',
  });
});

test('an SR-IOV device is reported once the Pod has it, by its MAC address also by the agent', () => {
  const fast: VMISpec = {
    domain: { devices: { interfaces: [{ name: 'fast', sriov: {} }] } },
    networks: [{ name: 'fast', multus: { networkName: 'fast' } }],
  };
  const podIps = ['10.1.0.7'];
  assert.deepEqual(interfaceStatus(fast, { domain: [], podIps }), []);
  const mac = '02:00:00:00:00:0f';
  const nic = podInterfaceName({ name: 'fast', multus: { networkName: 'fast' } });
  const agent = {
    mac,
    guestInterfaceName: 'ens5',
    ipAddresses: ['10.9.0.4'],
    source: 'guest-agent' as const,
  };
  assert.deepEqual(
    interfaceStatus(fast, { domain: [agent], podIps, podNics: new Map([[nic, { addresses: [], mac }]]) }),
    [
      {
        name: 'fast',
        mac,
        ipAddress: '10.9.0.4',
        ipAddresses: ['10.9.0.4'],
        interfaceName: 'ens5',
        podInterfaceName: nic,
        infoSource: 'domain, guest-agent, multus-status',
      },
    ],
  );
});
