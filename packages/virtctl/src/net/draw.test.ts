import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InterfacePicture } from '@podvisor/api';
import { drawInterface } from './draw.ts';

const counters = (rxPackets: number, txPackets: number, rxDropped = 0) => ({
  rxPackets,
  rxBytes: rxPackets * 1000,
  rxDropped,
  txPackets,
  txBytes: 0,
  txDropped: 0,
});
const picture = (packets: number): InterfacePicture => ({
  name: 'default',
  binding: 'masquerade',
  hops: [
    {
      role: 'pod-nic',
      device: 'eth0',
      exists: true,
      state: 'UP',
      mtu: 1450,
      addresses: ['10.1.0.5/24', 'fe80::1/64'],
      counters: counters(packets, 7, 2),
    },
    { role: 'tap', device: 'tap0', exists: false },
  ],
  guest: { mac: '02:00:00:00:00:01', mtu: 1450, addresses: ['10.0.2.2/24'] },
  rules: [{ family: 'ip', chain: 'prerouting', text: 'jump X', packets }],
});

test('boxes in order, counters between them, the rules where they act', () => {
  const text = drawInterface(picture(20));
  const order = [
    'default (masquerade)',
    'eth0  ',
    '10.1.0.5/24',
    '↓ 20 packets, 20 kB',
    '↑ 7 packets',
    '✗ 2 dropped',
    'nft ip  prerouting  [20] jump X',
    'tap0',
    'MISSING',
    'guest',
    '10.0.2.2/24',
  ];
  const places = order.map((part) => text.indexOf(part));
  assert.ok(
    places.every((place) => place >= 0),
    text,
  );
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    text,
  );
  assert.doesNotMatch(text, /fe80/);
});

test('frames that pass a bridge are not taken for its own', () => {
  const bridge = { role: 'bridge', device: 'k6t-eth0', exists: true, counters: counters(3, 4) } as const;
  const text = drawInterface({ ...picture(1), binding: 'bridge', hops: [bridge] });
  assert.match(text, /itself: ↓ 4, ↑ 3 packets/);
});

test('passt is drawn, and tells the guest its addresses', () => {
  const hops: InterfacePicture['hops'] = [
    {
      role: 'pod-nic',
      device: 'eth0',
      exists: true,
      kind: 'macvlan passthru',
      state: 'UP',
      mtu: 65_535,
      mac: '02:00:00:00:00:01',
    },
    { role: 'passt', device: 'passt', exists: true },
  ];
  const text = drawInterface({ ...picture(1), binding: 'passt', hops, rules: [] });
  assert.match(text, /eth0 {2}Pod's interface {2}UP[^]*02:00:00:00:00:01 {2}mtu 65535 {2}macvlan passthru /);
  assert.match(text, /passt {2}relays over the Pod's own sockets/);
  assert.match(text, /by passt's own DHCP/);
});

test('every box has straight sides', () => {
  const lengths = new Set(
    drawInterface(picture(1))
      .split('\n')
      .filter((l) => /^ {2}[│┌└]/.test(l))
      .map((l) => l.length),
  );
  assert.equal(lengths.size, 1);
});

test('what was added since the last look', () => {
  const text = drawInterface(picture(25), picture(20));
  assert.match(text, /25 packets, 25 kB \(\+5\)/);
  assert.match(text, /\[25 \(\+5\)\]/);
  assert.doesNotMatch(text, /7 packets.*\(\+/);
});

test('the picture fits 80 columns, however long a rule is', () => {
  const long = `ip6 saddr { ::1, ::6 } ip6 daddr fd00:1234:5678:9abc:def0::1 ${'tcp dport 80 '.repeat(8)}dnat`;
  const rules = [{ family: 'ip6' as const, chain: 'KUBEVIRT_POSTINBOUND', text: long, packets: 123_456 }];
  const lines = drawInterface({ ...picture(1), rules }).split('\n');
  assert.ok(
    lines.every((line) => line.length <= 80),
    lines.join('\n'),
  );
  const words = lines.join(' ').split(/\s+/).join(' ');
  assert.ok(words.includes(`[123456] ${long}`), words);
});
