import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import type { NodeObject } from '../live/use-collection.ts';
import { nodeActions, nodeRows } from './nodes.ts';

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
