import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Interface } from '@podvisor/api';
import { addressIn } from './address.ts';
import type { BindingSpec, Observed } from './binding.ts';
import { natScript } from './masquerade/rules.ts';
import { bridgeName, movedInterfaceName, podInterfaceName, tapName } from './names.ts';
import { bindingKind, planBinding } from './plan.ts';
import type { PodNic } from './pod-nic.ts';
import { guestSearchDomains, parseResolvConf } from './resolv-conf.ts';

const nic: PodNic = {
  name: 'eth0',
  mac: '0a:58:0a:f4:00:05',
  mtu: 1450,
  ipv4: { address: '10.244.0.5', prefixLength: 24 },
  routes: [{ destination: 'default', gateway: '10.244.0.1' }],
};
const empty: Observed = { links: [], routes: [], natTables: {} };
const spec = (nicSpec: Partial<Interface>, pod = {}): BindingSpec => ({
  interface: { name: 'default', ...nicSpec },
  network: { name: 'default', pod },
  index: 0,
  queueCount: 1,
  guest: { hostname: 'h', dnsServers: [], searchDomains: [] },
});
const ipOf = (plan: ReturnType<typeof planBinding>): string =>
  plan.actions.flatMap((a) => (a.kind === 'ip' ? a.commands : [])).join('\n');
const nftOf = (plan: ReturnType<typeof planBinding>): string =>
  plan.actions.flatMap((a) => (a.kind === 'nft' ? [a.script] : [])).join('\n');

test('names of devices', () => {
  assert.equal(podInterfaceName({ name: 'default', pod: {} }), 'eth0');
  assert.deepEqual(
    [bridgeName('eth0'), tapName('eth0'), movedInterfaceName('eth0')],
    ['k6t-eth0', 'tap0', 'eth0-nic'],
  );
  const secondary = podInterfaceName({ name: 'blue', multus: { networkName: 'blue' } });
  assert.match(secondary, /^pod[0-9a-f]{11}$/);
  const hash = secondary.slice(3);
  assert.deepEqual(
    [bridgeName(secondary), tapName(secondary), movedInterfaceName(secondary)],
    [`k6t-${hash}`, `tap${hash}`, `${hash}-nic`],
  );
  for (const name of [bridgeName(secondary), tapName(secondary), movedInterfaceName(secondary)])
    assert.ok(name.length <= 15, name);
  assert.equal(tapName('net2'), 'tap2');
});

test('addresses inside a prefix', () => {
  for (const [cidr, offset, address] of [
    ['10.0.2.0/24', 1, '10.0.2.1'],
    ['192.168.9.77/16', 2, '192.168.0.2'],
    ['0.0.0.0/0', 5, '0.0.0.5'],
    ['fd10:0:2::/120', 1, 'fd10:0:2::1'],
    ['2001:db8:0:1:1:1:1:0/112', 2, '2001:db8:0:1:1:1:1:2'],
  ] as const)
    assert.equal(addressIn(cidr, offset).address, address);
  assert.throws(() => addressIn('nonsense', 1));
});

describe('masquerade plan', () => {
  test('own network, own addresses', () => {
    const plan = planBinding(
      spec({ masquerade: {}, macAddress: '02:11:22:33:44:55' }, { vmNetworkCIDR: '172.16.5.0/28' }),
      nic,
      empty,
    );
    assert.match(ipOf(plan), /addr replace 172\.16\.5\.1\/28 dev k6t-eth0/);
    assert.equal(plan.attachment.dhcp?.clientCidr, '172.16.5.2/28');
    assert.equal(plan.attachment.mac, '02:11:22:33:44:55');
    assert.doesNotMatch(nftOf(plan), /ip6/);
  });

  test('leading zeros in the network of the guest are decimal, as KubeVirt reads them', () => {
    const plan = planBinding(spec({ masquerade: {} }, { vmNetworkCIDR: '010.10.010.0/24' }), nic, empty);
    assert.match(ipOf(plan), /addr replace 10\.10\.10\.1\/24 dev k6t-eth0/);
    assert.equal(plan.attachment.dhcp?.clientCidr, '10.10.10.2/24');
  });

  test('IPv6 when the Pod has it', () => {
    const plan = planBinding(
      spec({ masquerade: {} }),
      { ...nic, ipv6: { address: 'fd00::5', prefixLength: 64 } },
      empty,
    );
    assert.match(ipOf(plan), /addr replace fd10:0:2::1\/120 dev k6t-eth0 nodad/);
    assert.match(nftOf(plan), /table ip6 nat/);
    assert.match(nftOf(plan), /dnat to fd10:0:2::2/);
  });

  test('rules in place are left alone; a device of another kind is an error', () => {
    const seen = {
      ...empty,
      natTables: {
        ip: natScript({
          family: 'ip',
          podInterface: 'eth0',
          bridge: 'k6t-eth0',
          guestAddress: 'x',
          gatewayAddress: 'y',
          ports: [],
        }),
      },
    };
    assert.equal(nftOf(planBinding(spec({ masquerade: {} }), nic, seen)), '');
    const alien = {
      ifindex: 1,
      ifname: 'tap0',
      flags: [],
      mtu: 1,
      operstate: '',
      addr_info: [],
      linkinfo: { info_kind: 'veth' },
    };
    assert.throws(
      () => planBinding(spec({ masquerade: {} }), nic, { ...empty, links: [alien] }),
      /not a TAP/,
    );
  });

  test('route_localnet is for the bridge alone', () => {
    const settings = planBinding(spec({ masquerade: {} }), nic, empty).actions.flatMap((a) =>
      a.kind === 'sysctl' ? Object.keys(a.settings) : [],
    );
    assert.deepEqual(
      settings.filter((s) => s.includes('route_localnet')),
      ['net.ipv4.conf.k6t-eth0.route_localnet'],
    );
  });
});

test('a macvlan that would be deaf for the guest is refused; bridged guests get IPv6 and a router of their own', () => {
  const link = (mode: string) => ({
    ...{ ifindex: 1, ifname: 'eth0', flags: [], mtu: 1500, operstate: 'UP', addr_info: [] },
    linkinfo: { info_kind: 'macvlan', info_data: { mode } },
  });
  const plan = (mode: string) => planBinding(spec({ bridge: {} }), nic, { ...empty, links: [link(mode)] });
  assert.throws(() => plan('bridge'), /use mode passthru/);
  assert.equal(plan('passthru').attachment.binding, 'bridge');
  const six = {
    ...nic,
    ipv6: { address: 'fd00::5', prefixLength: 64 },
    routes6: [{ destination: 'default', gateway: 'fd00::1' }],
  };
  const dual = planBinding(spec({ bridge: {} }), six, empty);
  assert.match(ipOf(dual), /route replace ::\/0 via fd00::1 dev k6t-eth0 onlink/);
  assert.match(nftOf(dual), /table bridge k6t-eth0/);
  assert.equal(dual.attachment.dhcp6?.clientAddress, 'fd00::5');
  assert.equal(dual.attachment.routerAdvertisement?.isAutonomous, false);
});

test('with the proxy of a service mesh, only SSH reaches the guest past it', () => {
  const script = nftOf(planBinding({ ...spec({ masquerade: {} }), hasMeshProxy: true }, nic, empty));
  assert.match(script, /chain KUBEVIRT_PREINBOUND \{\n\s+tcp dport 22 counter dnat/);
  assert.match(script, /tcp dport \{ 15000, .*15090 \} counter return/);
  assert.match(script, /ip saddr \{ 127\.0\.0\.1, 127\.0\.0\.6 \} counter snat/);
  const listed = planBinding(
    { ...spec({ masquerade: {}, ports: [{ port: 80 }] }), hasMeshProxy: true },
    nic,
    empty,
  );
  assert.match(nftOf(listed), /chain KUBEVIRT_PREINBOUND \{\n\s+\}/);
  assert.match(nftOf(listed), /output ip daddr \{ 127\.0\.0\.1, [0-9.]+ \} tcp dport 80 counter dnat/);
});

test('bridge without an address gets no DHCP', () => {
  const { ipv4: _, ...bare } = nic;
  const plan = planBinding(spec({ bridge: {} }), { ...bare, routes: [] }, empty);
  assert.equal(plan.attachment.dhcp, undefined);
  assert.doesNotMatch(ipOf(plan), /10\.244/);
});

test('binding plugins: by TAP, by a TAP of ours, or by their sidecar alone', () => {
  const plugins = { a: { domainAttachmentType: 'tap' }, b: { domainAttachmentType: 'managedTap' }, c: {} };
  const kinds = ['a', 'b', 'c'].map((name) => bindingKind({ name: 'n', binding: { name } }, plugins));
  assert.deepEqual(kinds, ['tap', 'managedTap', undefined]);
  assert.throws(() => bindingKind({ name: 'n', binding: { name: 'd' } }, plugins), /does not register/);
  const managed = planBinding(spec({ binding: { name: 'b' } }), nic, empty, plugins);
  assert.equal(managed.attachment.binding, 'plugin');
  assert.equal(managed.attachment.tapDevice, 'tap0');
  assert.equal(managed.attachment.dhcp, undefined);
  const tapOf = (links: Observed['links']) =>
    planBinding(spec({ binding: { name: 'a' } }), nic, { ...empty, links }, plugins);
  assert.throws(() => tapOf([]), /has made neither/);
  const link = { ifindex: 1, flags: [], mtu: 1450, operstate: '', addr_info: [] };
  const tap = tapOf([{ ...link, ifname: 'tap0', linkinfo: { info_kind: 'tun' } }]);
  assert.deepEqual([tap.actions, tap.attachment.tapDevice, tap.attachment.mtu], [[], 'tap0', 1450]);
  const macvtap = tapOf([{ ...link, ifname: 'eth0', linkinfo: { info_kind: 'macvtap' } }]);
  assert.equal(macvtap.attachment.tapDevice, 'eth0');
});

test('bindings that are gone say so', () => {
  assert.throws(() => bindingKind({ name: 'n', slirp: {} }), /slirp, which is gone/);
  assert.throws(() => bindingKind({ name: 'n' }), /names no binding/);
  assert.equal(bindingKind({ name: 'n', sriov: {} }), undefined);
});

test('resolv.conf', () => {
  const parsed = parseResolvConf(
    'search a.b evil;domain c.\nnameserver 10.96.0.10\nnameserver fd00::1\nnameserver fe80::1%eth0\nnameserver 1.1.1.1\n# x\noptions ndots:5\n',
  );
  assert.deepEqual(parsed, {
    nameservers: ['10.96.0.10', '1.1.1.1'],
    nameservers6: ['fd00::1'],
    search: ['a.b', 'c'],
  });
  const search = ['shop.svc.cluster.local', 'svc.cluster.local'];
  assert.deepEqual(guestSearchDomains(search, 'db', 'shop'), ['db.shop.svc.cluster.local', ...search]);
  assert.deepEqual(guestSearchDomains(search, undefined, 'shop'), search);
});

test('where we serve DHCP, nobody else on the network answers a bridged guest, and nobody hears it ask', () => {
  const talk = (of: Partial<PodNic>): string =>
    nftOf(planBinding(spec({ bridge: {} }), { ...nic, ...of }, empty));
  const ipv4 = talk({});
  assert.match(ipv4, /oifname "eth0-nic" udp dport \{ 67 \} counter drop/);
  assert.match(ipv4, /forward[^]*iifname "eth0-nic" udp dport \{ 68 \} counter drop/);
  assert.doesNotMatch(ipv4, /icmpv6|54[67]/, 'others may advertise IPv6');
  const { ipv4: _, ...bare } = nic;
  const ipv6 = nftOf(
    planBinding(spec({ bridge: {} }), { ...bare, ipv6: { address: 'fd00::5', prefixLength: 64 } }, empty),
  );
  assert.match(ipv6, /iifname "eth0-nic" udp dport \{ 546 \} counter drop/);
  assert.doesNotMatch(ipv6, /67|68/, 'others may give IPv4 addresses');
  assert.equal(nftOf(planBinding(spec({ bridge: {} }), { ...bare, routes: [] }, empty)), '');
});

test('what is no port or protocol reaches no script', () => {
  const script = (port: object): string =>
    nftOf(planBinding(spec({ masquerade: {}, ports: [port as { port: number }] }), nic, empty));
  assert.match(script({ port: 80, protocol: 'udp' }), /udp dport 80 counter dnat/);
  for (const port of [{ port: '80 accept' }, { port: 8.5 }, { port: 65_536 }, { port: 80, protocol: 'tcp;' }])
    assert.throws(() => script(port), /is not a p(ort|rotocol)/);
});
