import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hop, InterfacePicture } from '@podvisor/api';
import { chainLines, networkChain } from './network-chain.ts';

const counters = { rxPackets: 3, rxBytes: 1, rxDropped: 0, txPackets: 4, txBytes: 1, txDropped: 0 };
const hop = (role: Hop['role'], device: string, more: Partial<Hop> = {}): Hop => ({
  role,
  device,
  exists: true,
  state: 'UP',
  counters,
  ...more,
});
const picture = (guest: Partial<InterfacePicture['guest']>, hops?: readonly Hop[]): InterfacePicture => ({
  name: 'default',
  binding: 'masquerade',
  hops: hops ?? [hop('pod-nic', 'eth0'), hop('bridge', 'k6t-eth0'), hop('tap', 'tap0')],
  guest: { mac: 'm', mtu: 1500, addresses: ['10.0.2.2/24'], servesDhcp: true, ...guest },
  rules: [],
});
const states = (of: InterfacePicture): string =>
  networkChain(of)
    .links.map(({ state }) => state[0])
    .join('');

test('a whole chain, with what shows each link', () => {
  const lease = { address: '10.0.2.2', at: '2026-01-01T00:00:00Z' };
  const whole = picture({ lease, reported: ['10.0.2.2', 'fe80::1'] });
  assert.equal(states(whole), 'ggggg');
  assert.equal(
    chainLines(networkChain(whole))[0],
    'default (masquerade): Pod NIC ✓ → bridge ✓ → TAP ✓ → DHCP lease ✓ → guest address ✓',
  );
});

test('where it is broken, and where nothing is known', () => {
  assert.equal(states(picture({})), 'ggguu', 'neither asked for an address nor has an agent');
  const silent = picture({}, [
    hop('pod-nic', 'eth0'),
    hop('bridge', 'k6t-eth0', { exists: false }),
    hop('tap', 'tap0', { state: 'DOWN', counters: { ...counters, rxPackets: 0 } }),
  ]);
  assert.equal(states(silent), 'gbbbu');
  assert.equal(states(picture({ reported: ['192.0.2.1'] })), 'gggub');
});

test('where DHCP is not ours, its link is left out', () => {
  assert.equal(networkChain(picture({ servesDhcp: false })).links.length, 4);
});

test('a gateway that does not answer the Pod is the first thing that is broken', () => {
  const cut = { ...picture({}), gateways: [{ address: '10.1.2.1', answers: false }] };
  assert.match(chainLines(networkChain(cut))[0] ?? '', /: gateway ✗ → Pod NIC ✓/);
  assert.equal(states({ ...picture({}), gateways: [{ address: '10.1.2.1', answers: true }] }), 'ggguu');
});

test('a guest that moved here has its address already: its silence is no fault', () => {
  const quiet = [hop('tap', 'tap0', { counters: { ...counters, rxPackets: 0 } })];
  const lease = (moved: boolean) =>
    networkChain(picture({ reported: ['10.0.2.2'] }, quiet), moved).links.find(
      ({ name }) => name === 'DHCP lease',
    );
  assert.equal(lease(false)?.state, 'broken');
  assert.deepEqual(lease(true), {
    name: 'DHCP lease',
    state: 'unknown',
    evidence: 'not asked for again since the guest moved to this node',
  });
});
