import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HANDOFFS_ANNOTATION, type VirtualMachineInstance } from '@podvisor/api';
import { HandoffTimes } from './handoff-times.ts';

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'a', uid: 'u', annotations: { other: 'kept' } },
  spec: { domain: { devices: {} } },
};

test('the first time of each handoff goes onto the VMI, beside what is there', () => {
  const times = new HandoffTimes();
  times.note('u', 8, 10.4);
  times.note('u', 8, 99);
  times.note('u', 10, 20);
  assert.deepEqual(times.annotate(vmi).metadata?.annotations, {
    other: 'kept',
    [HANDOFFS_ANNOTATION]: '{"8":10,"10":20}',
  });
});

test('nothing known, nothing written', () => {
  assert.equal(new HandoffTimes().annotate(vmi), vmi);
});
