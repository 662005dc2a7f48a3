import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InterfaceAttachment } from '@podvisor/api';
import { gatewaysOf, pictureOf, rulesOf } from './picture.ts';

const NAT = `table ip nat {
	chain prerouting {
		type nat hook prerouting priority dstnat; policy accept;
		iifname "eth0" counter packets 3 bytes 180 jump KUBEVIRT_PREINBOUND
	}

	chain input {
		type nat hook input priority srcnat; policy accept;
	}

	chain KUBEVIRT_PREINBOUND {
		tcp dport 80 counter packets 2 bytes 120 dnat to 10.0.2.2
		meta nfproto ipv4 return
	}
}
`;

test('rules with their chains and counters', () => {
  assert.deepEqual(rulesOf('ip', NAT), [
    { family: 'ip', chain: 'prerouting', text: 'iifname "eth0" jump KUBEVIRT_PREINBOUND', packets: 3 },
    { family: 'ip', chain: 'KUBEVIRT_PREINBOUND', text: 'tcp dport 80 dnat to 10.0.2.2', packets: 2 },
    { family: 'ip', chain: 'KUBEVIRT_PREINBOUND', text: 'meta nfproto ipv4 return' },
  ]);
  assert.deepEqual(rulesOf('ip6', ''), []);
});

test('devices in the order of the way; a missing one is named', () => {
  const attachment: InterfaceAttachment = {
    name: 'default',
    binding: 'bridge',
    tapDevice: 'tap0',
    bridge: 'k6t-eth0',
    podInterface: 'eth0',
    mac: '02:00:00:00:00:09',
    mtu: 1450,
  };
  const count = { packets: 1, bytes: 2, dropped: 3 };
  const links = [
    { ifname: 'k6t-eth0', operstate: 'UP', mtu: 1450 },
    { ifname: 'eth0-nic', operstate: 'UP', mtu: 1450, address: 'aa', stats64: { rx: count, tx: count } },
  ];
  const { hops } = pictureOf(attachment, links, []);
  assert.deepEqual(
    hops.map(({ device, exists }) => [device, exists]),
    [
      ['eth0-nic', true],
      ['k6t-eth0', true],
      ['tap0', false],
    ],
  );
  assert.equal(hops[0]?.counters?.txDropped, 3);
});

test("passt stands between the Pod's NIC and the guest, which has the Pod's addresses from it", () => {
  const attachment: InterfaceAttachment = {
    name: 'default',
    binding: 'passt',
    podInterface: 'eth0',
    mac: '02:00:00:00:00:09',
    mtu: 1400,
  };
  const addr = [
    { local: '10.1.0.5', prefixlen: 24 },
    { local: 'fd00::5', prefixlen: 80 },
    { local: 'fe80::5', prefixlen: 64 },
  ];
  const linkinfo = { info_kind: 'macvlan', info_data: { mode: 'passthru' } };
  const picture = (addr_info: typeof addr) =>
    pictureOf(attachment, [{ ifname: 'eth0', operstate: 'UP', mtu: 1400, linkinfo, addr_info }], []);
  const { hops, guest } = picture(addr);
  assert.deepEqual(
    hops.map(({ role, kind }) => [role, kind]),
    [
      ['pod-nic', 'macvlan passthru'],
      ['passt', undefined],
    ],
  );
  assert.deepEqual([guest.mtu, guest.addresses], [65_520, ['10.1.0.5/24', 'fd00::5/80']]);
  assert.equal(picture(addr.slice(1)).guest.mtu, 1500);
});

test('a gateway that was asked and has not answered is told', () => {
  const routes = [{ gateway: '10.1.2.1', dev: 'eth0' }, { gateway: 'fe80::1', dev: 'eth0' }, { dev: 'eth0' }];
  const neighbours = [{ dst: '10.1.2.1', dev: 'eth0', state: ['FAILED'] }];
  assert.deepEqual(gatewaysOf('eth0', routes, neighbours), [
    { address: '10.1.2.1', answers: false },
    { address: 'fe80::1' },
  ]);
  const [good] = gatewaysOf('eth0', routes, [{ dst: '10.1.2.1', dev: 'eth0', state: ['STALE'] }]);
  assert.equal(good?.answers, true);
});
