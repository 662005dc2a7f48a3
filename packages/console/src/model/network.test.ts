import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hop, InterfacePicture } from '@podvisor/api';
import { boxesOf, silentGateways } from './network.ts';

const counters = (rxBytes: number, txBytes: number): NonNullable<Hop['counters']> => ({
  ...{ rxPackets: 1, rxDropped: 0, txPackets: 1, txDropped: 2 },
  ...{ rxBytes, txBytes },
});
const picture = (toGuest: number, fromGuest: number): InterfacePicture => ({
  name: 'default',
  binding: 'masquerade',
  hops: [
    {
      role: 'pod-nic',
      device: 'eth0',
      exists: true,
      state: 'UP',
      mtu: 1500,
      addresses: ['10.0.0.5/24', 'fe80::1/64'],
      counters: counters(toGuest, fromGuest),
    },
    { role: 'bridge', device: 'k6t-eth0', exists: true, state: 'UP', counters: counters(1, 1) },
    { role: 'tap', device: 'tap0', exists: false },
  ],
  guest: { mac: '02:00:00:00:00:01', mtu: 1500, addresses: ['10.0.2.2/24'] },
  rules: [],
  gateways: [{ address: '10.0.0.1', answers: false }, { address: '10.0.0.2' }],
});

test('each link with its state, its facts and what passes it', () => {
  const boxes = boxesOf(picture(4096, 2048), picture(0, 0), 2000);
  assert.deepEqual(
    boxes.map(({ title, state, tone }) => [title, state, tone]),
    [
      ['Interface of the Pod eth0', 'UP', 'good'],
      ['Bridge k6t-eth0', 'UP', 'good'],
      ['TAP, QEMU’s end tap0', 'missing', 'bad'],
      ['Guest', 'has taken no address yet', 'busy'],
    ],
  );
  assert.deepEqual(boxes[0]?.traffic, { toGuest: '2.0 KiB/s', fromGuest: '1.0 KiB/s' });
  assert.deepEqual(boxes[0]?.facts, ['MTU 1500', '10.0.0.5/24', '2 packets dropped']);
  assert.equal(boxes[1]?.traffic, undefined);
  assert.equal(boxesOf(picture(1, 1))[0]?.traffic, undefined, 'nothing is known before the second look');
  assert.deepEqual(silentGateways(picture(0, 0)), ['10.0.0.1']);
});

test('a guest that has an address says which', () => {
  const base = picture(0, 0);
  const lease = { address: '10.0.2.2', at: '2026-01-01T00:00:00Z' };
  assert.equal(boxesOf({ ...base, guest: { ...base.guest, lease } }).at(-1)?.state, 'has 10.0.2.2');
  const reported = ['10.0.2.2', 'fd00::2'];
  assert.equal(
    boxesOf({ ...base, guest: { ...base.guest, lease, reported } }).at(-1)?.state,
    'has 10.0.2.2, fd00::2',
  );
});
