import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance, VMStatus } from '@podvisor/api';
import { hibernationEnd, isBeingHibernated } from './hibernation.ts';

const vm = (status: VMStatus): VirtualMachine => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'sleeper' },
  spec: { template: {} },
  status,
});
const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'sleeper', uid: 'u' },
  spec: { domain: { devices: {} } },
};
const of = (phase: string, vmiUID = 'u') => vm({ hibernation: { phase, claimName: 'c', vmiUID } });
const asked = (action: string, uid: string) => vm({ stateChangeRequests: [{ action, uid }] });

const table: readonly [string, VirtualMachine, VirtualMachineInstance | undefined, boolean][] = [
  ['it was asked for only', asked('Hibernate', 'u'), vmi, true],
  ['the guest is being saved', of('Saving'), vmi, true],
  ['the guest is saved, its VMI is still there', of('Hibernated'), vmi, true],
  ['it sleeps: a start is accepted', of('Hibernated'), undefined, false],
  ['it wakes: the state is of the VMI before', of('Hibernated', 'before'), vmi, false],
  ['it has failed: the guest goes on', of('Failed'), vmi, false],
  ['another VMI was meant', asked('Hibernate', 'before'), vmi, false],
  ['it is being stopped', asked('Stop', 'u'), vmi, false],
  ['nothing was asked', vm({}), vmi, false],
];
for (const [name, machine, instance, expected] of table)
  test(`is being hibernated: ${name}`, () => {
    assert.equal(
      isBeingHibernated({ vm: machine, ...(instance === undefined ? {} : { vmi: instance }) }),
      expected,
    );
  });

test('a hibernation has ended when nothing of the guest is left, or when it has failed', () => {
  assert.equal(hibernationEnd({ vm: of('Saving'), vmi }), undefined);
  assert.equal(hibernationEnd({ vm: of('Hibernated'), vmi }), undefined);
  assert.deepEqual(hibernationEnd({ vm: of('Hibernated') }), { failure: undefined });
  const failed = vm({ hibernation: { phase: 'Failed', claimName: 'c', vmiUID: 'u', message: 'full' } });
  assert.deepEqual(hibernationEnd({ vm: failed, vmi }), { failure: 'full' });
});
