import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DEFAULT_FLAGS,
  MAX_NODES,
  planInstance,
  podCidrFlag,
  resizeInstance,
  withLauncherImage,
} from './instance-plan.ts';

test('the main home has the well-known names', () => {
  const plan = planInstance('/var/lib/podvisor', DEFAULT_FLAGS);
  assert.equal(plan.bridge, 'pv-main');
  assert.deepEqual(plan.nodes, [
    { name: 'node-1', address: '10.244.0.1', podCidr: '10.244.0.0/24', handlerPort: 6445 },
  ]);
});

test('two homes never share a bridge, and its name fits an interface', () => {
  const bridges = ['/a', '/b', '/tmp/podvisor-x', '/tmp/podvisor-y'].map(
    (home) => planInstance(home, DEFAULT_FLAGS).bridge,
  );
  assert.equal(new Set(bridges).size, bridges.length);
  for (const bridge of bridges) assert.ok(bridge.length <= 15, bridge);
});

test('a home whose path leaves no room for its sockets is refused before anything is made', () => {
  assert.throws(() => planInstance(`/${'x'.repeat(60)}`, DEFAULT_FLAGS), /shorter PODVISOR_HOME/);
});

test('a Pod network that is no /16 is refused by name', () => {
  for (const podCidr of ['10.244.0.0/24', '10.244.1.0/16', '300.1.0.0/16', 'x'])
    assert.throws(() => planInstance('/x', { ...DEFAULT_FLAGS, podCidr }), /--pod-cidr/);
});

test('several nodes have namespaces, cables and ranges of their own', () => {
  const plan = planInstance('/var/lib/podvisor', { ...DEFAULT_FLAGS, nodes: 3 });
  assert.deepEqual(plan.nodeNetwork, {
    bridge: 'pvn-main',
    address: '10.244.255.1',
    cidr: '10.244.255.0/24',
  });
  assert.deepEqual(plan.nodes[1], {
    name: 'node-2',
    address: '10.244.255.12',
    podCidr: '10.244.1.0/24',
    handlerPort: 6446,
    netns: 'main-node-2',
    link: 'pvn-main-2',
  });
  for (const key of ['name', 'address', 'podCidr', 'handlerPort', 'netns', 'link'] as const)
    assert.equal(new Set(plan.nodes.map((node) => node[key])).size, 3, key);
  const longest = planInstance('/tmp/x', { ...DEFAULT_FLAGS, nodes: MAX_NODES }).nodes.at(-1)?.link ?? '';
  assert.ok(longest.length <= 15, longest);
});

test('growing keeps the nodes that are there, shrinking takes the last ones', () => {
  const one = planInstance('/x', DEFAULT_FLAGS);
  const three = resizeInstance(one, 3);
  assert.deepEqual(
    three.nodes.map(({ name, netns, podCidr }) => [name, netns !== undefined, podCidr]),
    [
      ['node-1', false, '10.244.0.0/24'],
      ['node-2', true, '10.244.1.0/24'],
      ['node-3', true, '10.244.2.0/24'],
    ],
  );
  assert.equal(three.nodes[0]?.address, three.nodeNetwork?.address, 'the machine, as the others see it');
  assert.deepEqual(resizeInstance(resizeInstance(three, 2), 3), three);
  assert.equal(resizeInstance(three, 3), three);
});

test('a number of nodes that one machine cannot be is refused', () => {
  for (const nodes of [0, 9]) assert.throws(() => planInstance('/x', { ...DEFAULT_FLAGS, nodes }), /1 to 8/);
});

test('Pods can have both families, also on several nodes', () => {
  const podCidr = '10.246.0.0/16,fd00:246::/64';
  const plan = planInstance('/x', { ...DEFAULT_FLAGS, podCidr });
  assert.deepEqual(
    [plan.podCidr, plan.podCidr6, plan.nodes[0]?.podCidr6],
    ['10.246.0.0/16', 'fd00:246::/64', 'fd00:246::/80'],
  );
  assert.equal(podCidrFlag(plan), podCidr);
  const { nodes, nodeNetwork } = planInstance('/x', { ...DEFAULT_FLAGS, podCidr, nodes: 2 });
  assert.deepEqual(
    [nodeNetwork?.address6, nodeNetwork?.cidr6, nodes[1]?.address6, nodes[1]?.podCidr6],
    ['fd00:246::ffff:0:0:1', 'fd00:246:0:0:ffff::/80', 'fd00:246::ffff:0:0:c', 'fd00:246:0:0:1::/80'],
  );
  assert.throws(
    () => planInstance('/x', { ...DEFAULT_FLAGS, podCidr: '10.246.0.0/16,fd00::/48' }),
    /IPv6 \/64/,
  );
});

test('Pods can have IPv6 alone', () => {
  const plan = planInstance('/x', { ...DEFAULT_FLAGS, podCidr: 'fd00:246::/64', nodes: 2 });
  assert.deepEqual([plan.podCidr, plan.podCidr6], ['fd00:246::/64', undefined]);
  assert.deepEqual(
    plan.nodes.map(({ address, podCidr }) => [address, podCidr]),
    [
      ['fd00:246::ffff:0:0:b', 'fd00:246::/80'],
      ['fd00:246::ffff:0:0:c', 'fd00:246:0:0:1::/80'],
    ],
  );
  const one = planInstance('/x', { ...DEFAULT_FLAGS, podCidr: 'fd00:246::/64' });
  assert.equal(one.nodes[0]?.address, 'fd00:246::1');
  for (const podCidr of ['fd00:246::/64,10.0.0.0/16', 'fd00:246::1/64', 'fd00::/64,fd01::/64'])
    assert.throws(() => planInstance('/x', { ...DEFAULT_FLAGS, podCidr }), /--pod-cidr/);
});

test('the launcher image is set, kept when nothing is given, and taken back', () => {
  const plan = planInstance('/x', DEFAULT_FLAGS);
  assert.equal(withLauncherImage(plan, undefined), plan);
  assert.equal(withLauncherImage(plan, 'embedded'), plan);
  const other = withLauncherImage(plan, 'podvisor.local/virt-launcher:v1');
  assert.equal(other.launcherImage, 'podvisor.local/virt-launcher:v1');
  assert.equal(withLauncherImage(other, undefined), other);
  assert.equal(withLauncherImage(other, other.launcherImage), other);
  assert.deepEqual(withLauncherImage(other, 'embedded'), plan);
});
