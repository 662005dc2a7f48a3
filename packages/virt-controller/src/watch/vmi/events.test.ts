import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { podCreateProblem } from './events.ts';

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { namespace: 'ns', name: 'a' },
  spec: { domain: { devices: {} } },
};

test('a Pod that its namespace refuses is told in the words that clients know', () => {
  const refusal =
    'pods "virt-launcher-a-x" is forbidden: violates PodSecurity "restricted:latest": privileged';
  const { message, event } = podCreateProblem(vmi, new StatusError('Forbidden', refusal));
  assert.equal(
    message,
    `failed to create pod for vmi ns/a, it needs a privileged namespace to run: ${refusal}`,
  );
  assert.deepEqual(event, ['Warning', 'FailedCreate', `failed to render launch manifest: ${message}`]);
});

test('any other refusal is told as it is', () => {
  const { message } = podCreateProblem(vmi, new StatusError('Forbidden', 'exceeded quota: small'));
  assert.equal(message, 'Error creating pod: exceeded quota: small');
});
