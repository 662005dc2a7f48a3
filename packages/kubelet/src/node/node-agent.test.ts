import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { instancePaths } from '@podvisor/sys';
import { kubeletContext } from '../context.ts';
import { MemoryApi } from '../testing/memory-api.ts';
import { readMachine } from './machine.ts';
import { NodeAgent } from './node-agent.ts';

test('a device plugin that is there before the Node is in its first status, and nothing is told', async () => {
  const told: string[] = [];
  const log = {
    info: (_fields: object, message: string) => void told.push(message),
    warn: (_fields: object, message: string) => void told.push(message),
    error: (_fields: object, message: string) => void told.push(message),
  };
  const node = { name: 'node-1', address: '10.99.0.1', podCidr: '10.88.0.0/24', handlerPort: 8186 };
  const config = {
    name: 'test',
    apiPort: 1,
    virtApiPort: 2,
    podCidr: '10.88.0.0/16',
    bridge: 'pv-test',
    nodes: [node],
  };
  const api = new MemoryApi();
  const agent = new NodeAgent({
    context: kubeletContext({ node, config, paths: instancePaths('/nowhere'), clock: new FakeClock(), log }),
    client: api.client,
    machine: readMachine('/'),
    devices: {
      quantities: () => new Map([['devices.kubevirt.io/tun', { capacity: 10, allocatable: 10 }]]),
    },
  });
  agent.changed();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(told, []);
  await agent.start();
  agent.close();
  const written = api.find(resources.nodes, { name: 'node-1' });
  assert.equal(written?.status?.capacity?.['devices.kubevirt.io/tun'], '10');
  assert.deepEqual(told, []);
});
