import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { announcements, changedAddresses, movedAddresses, proxiedFor, routesFor } from './decide.ts';

const nodes = [
  { name: 'node-1', podCidr: '10.1.1.0/24' },
  { name: 'node-2', podCidr: '10.1.2.0/24' },
  { name: 'node-3', podCidr: '10.1.3.0/24' },
];
const READY = 'kubevirt.io/migration-target-ready-timestamp';

function pod(
  uid: string,
  nodeName: string,
  podIP: string,
  more: { ready?: string; phase?: 'Running' | 'Succeeded' } = {},
): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: uid,
      uid,
      creationTimestamp: `2026-01-01T00:00:0${uid.length}Z`,
      ...(more.ready === undefined ? {} : { annotations: { [READY]: more.ready } }),
    },
    spec: { nodeName, containers: [] },
    status: { podIP, phase: more.phase ?? 'Running' },
  };
}

const where = (pods: readonly Pod[]): string[] =>
  [...movedAddresses(pods, nodes).values()].map(({ address, node }) => `${address}@${node}`);

test('an address moves when the guest is said to run on the target, or when the source has ended', () => {
  const source = pod('a', 'node-1', '10.1.1.5');
  const target = pod('bb', 'node-2', '10.1.1.5');
  assert.deepEqual(where([source]), []);
  assert.deepEqual(where([target, source]), [], 'the guest still runs at the source');
  const ready = pod('bb', 'node-2', '10.1.1.5', { ready: '2026-01-01T00:01:00Z' });
  assert.deepEqual(where([source, ready]), ['10.1.1.5@node-2']);
  assert.deepEqual(where([pod('a', 'node-1', '10.1.1.5', { phase: 'Succeeded' }), target]), [
    '10.1.1.5@node-2',
  ]);
});

test('it moves on, and comes home', () => {
  const second = pod('bb', 'node-2', '10.1.1.5', { ready: '2026-01-01T00:01:00Z' });
  const third = pod('ccc', 'node-3', '10.1.1.5', { ready: '2026-01-01T00:02:00Z' });
  assert.deepEqual(where([second, third]), ['10.1.1.5@node-3']);
  assert.deepEqual(where([second, pod('ccc', 'node-3', '10.1.1.5')]), ['10.1.1.5@node-2']);
  assert.deepEqual(where([second, pod('d', 'node-1', '10.1.1.5', { ready: '2026-01-01T00:03:00Z' })]), []);
});

test('every network has a way: the node itself by its bridge, the others through it', () => {
  const moved = movedAddresses([pod('bb', 'node-2', '10.1.1.5')], nodes)
    .values()
    .toArray();
  const via = (node: string): readonly string[] => [`10.1.255.${node.slice(-1)}`];
  const of = (nodeName: string | undefined, uplink: string) =>
    routesFor({ nodeName, podBridge: 'pv', uplink }, moved, via);
  assert.deepEqual(of('node-2', 'eth0'), ['10.1.1.5/32 dev pv scope link']);
  assert.deepEqual(of('node-1', 'eth0'), ['10.1.1.5/32 via 10.1.255.2 dev eth0']);
  assert.deepEqual(of(undefined, 'pvn'), ['10.1.1.5/32 via 10.1.255.2 dev pvn']);
});

test('old neighbours and the guest itself hear of the gateway, once', () => {
  const pods = [
    pod('bb', 'node-2', '10.1.1.5'),
    pod('x', 'node-1', '10.1.1.7'),
    pod('y', 'node-2', '10.1.2.7'),
  ];
  const after = movedAddresses(pods, nodes);
  assert.deepEqual(announcements(new Map(), after, pods), [
    { node: 'node-1', addresses: ['10.1.1.5'] },
    { node: 'node-2', addresses: ['10.1.1.7'] },
  ]);
  assert.deepEqual(announcements(after, after, pods), []);
  assert.deepEqual(changedAddresses(new Map(), after), ['10.1.1.5']);
  assert.deepEqual(changedAddresses(after, new Map()), ['10.1.1.5'], 'home again');
  assert.deepEqual(changedAddresses(after, after), []);
});

test('both families move together; IPv6 neighbours are answered for, and told', () => {
  const dual = nodes.map((node, i) => ({ ...node, podCidr6: `fd00:1:0:0:${i}::/80` }));
  const both = pod('bb', 'node-2', '10.1.1.5');
  const podIPs = [{ ip: '10.1.1.5' }, { ip: 'fd00:1::5' }];
  const moved = movedAddresses([{ ...both, status: { ...both.status, podIPs } }], dual);
  assert.deepEqual([...moved.keys()], ['10.1.1.5', 'fd00:1::5']);
  const via = (node: string): readonly string[] => [
    `10.1.255.${node.slice(-1)}`,
    `fd00:1::ffff:${node.slice(-1)}`,
  ];
  const of = (nodeName: string | undefined) =>
    routesFor({ nodeName, podBridge: 'pv', uplink: 'eth0' }, moved.values(), via);
  assert.deepEqual(of('node-2'), ['10.1.1.5/32 dev pv scope link', 'fd00:1::5/128 dev pv']);
  assert.deepEqual(of('node-3')[1], 'fd00:1::5/128 via fd00:1::ffff:2 dev eth0');
  assert.deepEqual(proxiedFor('node-1', moved.values()), ['fd00:1::5']);
  assert.deepEqual(proxiedFor('node-2', moved.values()), []);
  assert.deepEqual(proxiedFor(undefined, moved.values()), []);
  const told = announcements(new Map(), moved, []);
  assert.deepEqual(told[2], { node: 'node-1', addresses: ['fd00:1::5'] });
});
