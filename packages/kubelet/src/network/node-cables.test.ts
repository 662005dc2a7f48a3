import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstanceConfig } from '@podvisor/sys';
import { type ObservedCables, planCables } from './node-cables.ts';

const node = (number: number): InstanceConfig['nodes'][number] => ({
  name: `node-${number}`,
  address: `10.1.255.${10 + number}`,
  podCidr: `10.1.${number - 1}.0/24`,
  handlerPort: 1,
  netns: `x-node-${number}`,
  link: `pvn-x-${number}`,
});
const config: InstanceConfig = {
  name: 'x',
  apiPort: 1,
  virtApiPort: 2,
  podCidr: '10.1.0.0/16',
  bridge: 'pv-x',
  nodeNetwork: { bridge: 'pvn-x', address: '10.1.255.1', cidr: '10.1.255.0/24' },
  nodes: [node(1), node(2)],
};
const observed = (some: Partial<ObservedCables>): ObservedCables => ({
  links: new Set(),
  namespaces: new Set(),
  routes: [],
  unplugged: new Set(),
  ...some,
});

test('on a bare machine everything is made, and each node knows the way to the others', () => {
  const plan = planCables(config, observed({}));
  assert.deepEqual(plan.createNamespaces, ['x-node-1', 'x-node-2']);
  assert.deepEqual(plan.machine, [
    'link add name pvn-x type bridge',
    'link set dev pvn-x address 02:70:0a:01:ff:01 up',
    'addr replace 10.1.255.1/24 dev pvn-x',
    'link add name pvn-x-1 type veth peer name eth0 netns x-node-1',
    'link set dev pvn-x-1 master pvn-x up',
    'link add name pvn-x-2 type veth peer name eth0 netns x-node-2',
    'link set dev pvn-x-2 master pvn-x up',
    'route replace 10.1.0.0/24 via 10.1.255.11 dev pvn-x',
    'route replace 10.1.1.0/24 via 10.1.255.12 dev pvn-x',
  ]);
  assert.deepEqual(plan.nodes[0], {
    netns: 'x-node-1',
    commands: [
      'link set dev lo up',
      'link set dev eth0 up',
      'addr replace 10.1.255.11/24 dev eth0',
      'route replace default via 10.1.255.1 dev eth0',
      'route replace 10.1.1.0/24 via 10.1.255.12 dev eth0',
    ],
  });
});

test('what is there stays, a cable that a person unplugged too', () => {
  const plan = planCables(
    config,
    observed({
      links: new Set(['pvn-x', 'pvn-x-1', 'pvn-x-2']),
      namespaces: new Set(['x-node-1', 'x-node-2', 'x-0b6f3f0e-1111-4222-8333-444455556666']),
      unplugged: new Set(['node-2']),
    }),
  );
  assert.deepEqual([plan.createNamespaces, plan.removeNamespaces], [[], []]);
  assert.deepEqual(
    plan.machine.filter((command) => /^link (add|del)|pvn-x-2/.test(command)),
    ['link set dev pvn-x-2 master pvn-x down'],
  );
});

test('a cable whose namespace is gone is made anew', () => {
  const plan = planCables(
    config,
    observed({ links: new Set(['pvn-x', 'pvn-x-1', 'pvn-x-2']), namespaces: new Set(['x-node-2']) }),
  );
  assert.deepEqual(
    plan.machine.filter((command) => command.includes('pvn-x-1')),
    [
      'link del dev pvn-x-1',
      'link add name pvn-x-1 type veth peer name eth0 netns x-node-1',
      'link set dev pvn-x-1 master pvn-x up',
    ],
  );
});

test('of a node that the instance no longer has, namespace, cable and route go', () => {
  const plan = planCables(
    { ...config, nodes: [node(1)] },
    observed({
      links: new Set(['pvn-x', 'pvn-x-1', 'pvn-x-2', 'pvn-xy-1', 'eth0']),
      namespaces: new Set(['x-node-1', 'x-node-2', 'xy-node-1']),
      routes: [
        { dst: '10.1.0.0/24', gateway: '10.1.255.11', dev: 'pvn-x' },
        { dst: '10.1.1.0/24', gateway: '10.1.255.12', dev: 'pvn-x' },
        { dst: '10.1.255.0/24', dev: 'pvn-x' },
        { dst: 'default', gateway: '192.0.2.1', dev: 'eth0' },
      ],
    }),
  );
  assert.deepEqual(plan.removeNamespaces, ['x-node-2']);
  assert.deepEqual(
    plan.machine.filter((command) => / del /.test(command)),
    ['link del dev pvn-x-2', 'route del 10.1.1.0/24 dev pvn-x'],
  );
});
