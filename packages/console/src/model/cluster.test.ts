import assert from 'node:assert/strict';
import { test } from 'node:test';
import { componentRows, daysTone } from './cluster.ts';

test('components by name, ready or as far as they are; launchers are none', () => {
  const pod = (name: string, label: string, ready: string, restartCount: number) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { 'kubevirt.io': label } },
    spec: { nodeName: 'node-1' },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: ready }],
      containerStatuses: [{ restartCount }],
    },
  });
  const rows = componentRows([
    pod('virt-handler-1', 'virt-handler', 'False', 2),
    pod('virt-api-1', 'virt-api', 'True', 0),
    pod('virt-launcher-1', 'virt-launcher', 'True', 0),
  ]);
  assert.deepEqual(rows, [
    { name: 'virt-api-1', node: 'node-1', state: 'Ready', tone: 'good', restarts: 0 },
    { name: 'virt-handler-1', node: 'node-1', state: 'Running', tone: 'busy', restarts: 2 },
  ]);
  assert.deepEqual([-1, 13, 59, 300].map(daysTone), ['bad', 'bad', 'busy', 'good']);
});
