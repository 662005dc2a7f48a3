import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { isOfThisStart, refusalIn } from './progress.ts';

const vmi = (phase?: string): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'sleeper' },
  spec: { domain: { devices: {} } },
  status: phase === undefined ? {} : { hibernation: { phase } },
});

test('a VMI that was refused belongs to the start before', () => {
  assert.equal(isOfThisStart({}), false);
  assert.equal(isOfThisStart({ vmi: vmi('Refused') }), false);
  assert.equal(isOfThisStart({ vmi: vmi() }), true);
  assert.equal(isOfThisStart({ vmi: vmi('Waking') }), true);
});

test('a refusal is told with its reason', () => {
  const hibernation = { phase: 'Hibernated', claimName: 'c', vmiUID: 'u' };
  const vm = (status: VirtualMachine['status']): VirtualMachine => ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'sleeper' },
    spec: { template: {} },
    ...(status === undefined ? {} : { status }),
  });
  assert.equal(refusalIn({ vm: vm({ hibernation }) }), undefined);
  const refused = { ...hibernation, reason: 'StateDoesNotFit', message: 'memory' };
  assert.equal(refusalIn({ vm: vm({ hibernation: refused }) }), 'StateDoesNotFit: memory');
});
