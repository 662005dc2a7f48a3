import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  HANDOFFS_ANNOTATION,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { handoffsOf } from './handoffs.ts';
import { firstOpen, troubleOf } from './trouble.ts';

const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { template: { spec: { domain: { devices: {} } } } },
};
const pod: Pod = { metadata: { name: 'virt-launcher-a-1' }, spec: { containers: [] } };

function vmi(
  status: VirtualMachineInstance['status'],
  annotations: Record<string, string> = {},
): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'a', annotations, creationTimestamp: '2026-01-01T00:00:01Z' },
    spec: { domain: { devices: {} } },
    status,
  };
}

const OPEN: readonly (readonly [string, Parameters<typeof handoffsOf>[0], number | undefined])[] = [
  ['nothing declared', {}, 1],
  ['a VM alone', { vm }, 3],
  ['a VMI without a Pod', { vm, vmi: vmi({ phase: 'Pending' }) }, 4],
  ['a Pod that does not run', { vm, vmi: vmi({ phase: 'Scheduling' }), pod }, 5],
  [
    'handed over, the launcher silent',
    {
      vm,
      vmi: vmi({ phase: 'Scheduled', nodeName: 'n' }),
      pod: {
        ...pod,
        status: {
          containerStatuses: [
            { name: 'compute', ready: true, restartCount: 0, image: '', imageID: '', state: { running: {} } },
          ],
        },
      },
    },
    6,
  ],
];

for (const [name, objects, open] of OPEN) {
  test(`${name}: handoff ${open} is the first open one`, () =>
    assert.equal(firstOpen(objects)?.number, open));
}

test('the times of the node are read from its annotation, and nonsense there does no harm', () => {
  const stored = vmi({ phase: 'Running', nodeName: 'n' }, { [HANDOFFS_ANNOTATION]: '{"6":1000,"8":2000}' });
  assert.equal(handoffsOf({ vmi: stored })[5]?.atMs, 1000);
  assert.equal(
    handoffsOf({ vmi: vmi({ phase: 'Running' }, { [HANDOFFS_ANNOTATION]: '][' }) })[5]?.atMs,
    undefined,
  );
});

test('a container that cannot start is trouble with its reason', () => {
  const waiting = { waiting: { reason: 'ErrImagePull', message: 'no such image' } };
  const status = {
    containerStatuses: [
      { name: 'compute', ready: false, restartCount: 0, image: '', imageID: '', state: waiting },
    ],
  };
  assert.deepEqual(troubleOf({ pod: { ...pod, status } }), [
    { source: 'container compute', reason: 'ErrImagePull', message: 'no such image' },
  ]);
});
