import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topologyOf } from './topology.ts';

const cases: readonly [number, object | undefined, object][] = [
  [4, undefined, { sockets: 4, cores: 1, threads: 1 }],
  [4, { preferredCPUTopology: 'any' }, { sockets: 4, cores: 1, threads: 1 }],
  [4, { preferredCPUTopology: 'preferThreads' }, { sockets: 1, cores: 1, threads: 4 }],
  [4, { preferredCPUTopology: 'rings' }, { sockets: 1, cores: 1, threads: 1 }],
  [1, { preferredCPUTopology: 'spread' }, { sockets: 1, cores: 1, threads: 1 }],
  [5, { preferredCPUTopology: 'preferSpread' }, { sockets: 2, cores: 2, threads: 1 }],
  [3, { preferredCPUTopology: 'spread', spreadOptions: { ratio: 4 } }, { cores: 4, threads: 1 }],
  [
    7,
    { preferredCPUTopology: 'spread', spreadOptions: { across: 'SocketsCoresThreads' } },
    { sockets: 1, cores: 2, threads: 2 },
  ],
  [
    5,
    { preferredCPUTopology: 'spread', spreadOptions: { across: 'CoresThreads' } },
    { sockets: 1, cores: 2, threads: 2 },
  ],
  [
    6,
    { preferredCPUTopology: 'spread', spreadOptions: { across: 'Rings' } },
    { sockets: 1, cores: 1, threads: 1 },
  ],
];

for (const [vcpus, cpu, expected] of cases) {
  test(`${vcpus} vCPUs, ${JSON.stringify(cpu)}`, () => {
    // Unknown names stand for what an older object may hold.
    assert.deepEqual(topologyOf(vcpus, cpu && { cpu: cpu as never }), expected);
  });
}
