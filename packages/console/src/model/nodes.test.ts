import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import type { NodeObject } from '../live/use-collection.ts';
import { drainWords, nodeActions, nodeRows } from './nodes.ts';

const metadata = { namespace: 'shop', name: 'web' };

test('nodes: guests of each, and cordon offers its opposite', () => {
  const node = (name: string, ready: string, unschedulable: boolean): [string, NodeObject] => [
    name,
    {
      metadata: { name },
      spec: { unschedulable },
      status: { conditions: [{ type: 'Ready', status: ready }] },
    },
  ];
  const vmi = { metadata, status: { nodeName: 'b' } } as unknown as VirtualMachineInstance;
  const rows = nodeRows(
    new Map([node('a', 'Unknown', false), node('b', 'True', true)]),
    new Map([['shop/web', vmi]]),
  );
  assert.deepEqual(
    rows.map((row) => [
      row.status,
      row.guests.length,
      nodeActions.filter(({ fits }) => fits(row)).map(({ id }) => id),
    ]),
    [
      ['Unknown', 0, ['cordon']],
      ['Ready', 1, ['uncordon']],
    ],
  );
});

test('room is what Pods have left of it, as the scheduler counts', () => {
  const node: NodeObject = { metadata: { name: 'a' }, status: { allocatable: { cpu: '4', memory: '8Gi' } } };
  const pod = (cpu: string, memory: string, phase = 'Running') => ({
    spec: {
      nodeName: 'a',
      containers: [{ resources: { requests: { cpu, memory } } }, {}],
      overhead: { memory: '1Gi' },
    },
    status: { phase },
  });
  const room = (pods?: Parameters<typeof nodeRows>[2]): string | undefined =>
    nodeRows(new Map([['a', node]]), new Map(), pods)[0]?.room;
  assert.equal(room(), '4 CPUs, 8.0 GiB');
  const pods = new Map([
    ['x', pod('1500m', '2Gi')],
    ['y', pod('1', '4Gi', 'Succeeded')],
  ]);
  assert.equal(room(pods), '2.5 of 4 CPUs, 5.0 GiB of 8.0 GiB free');
  assert.equal(room(new Map([['z', pod('9', 'nonsense')]])), '0 of 4 CPUs, 7.0 GiB of 8.0 GiB free');
});

test('how far a drain is', () => {
  assert.equal(drainWords(2, 5, 1), '3 of 5 guests have gone, 1 on the way');
  assert.equal(drainWords(0, 5, 0), 'No guest is left here.');
});
