import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeReading } from '@podvisor/home-contract';
import { usageBetween } from './rates.ts';

function reading(atMs: number, cpu: number, run = 'run-1'): NodeReading {
  const container = { name: 'c', id: run, cpuNanoseconds: cpu, workingSetBytes: 2 * 1024 * 1024 };
  return {
    node: 'n',
    atMs,
    cpuNanoseconds: cpu * 2,
    workingSetBytes: 4096,
    pods: [{ namespace: 'd', name: 'p', uid: 'u', containers: [container] }],
  };
}

test('a rate is what was used between two looks', () => {
  const { nodes, pods } = usageBetween([reading(0, 1e9)], [reading(2000, 2e9)]);
  assert.deepEqual(nodes[0]?.['usage'], { cpu: '1000000000n', memory: '4Ki' });
  assert.deepEqual(pods[0]?.['containers'], [{ name: 'c', usage: { cpu: '500000000n', memory: '2048Ki' } }]);
  assert.equal(pods[0]?.['window'], '2s');
});

test('a container that restarted meanwhile, or came only now, has no rate yet', () => {
  assert.deepEqual(usageBetween([reading(0, 5e9)], [reading(1000, 1e9, 'run-2')]).pods, []);
  assert.deepEqual(usageBetween([], [reading(1000, 1e9)]).nodes, []);
});
