import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance, VMICondition } from '@podvisor/api';
import { guestSign } from './guest-up.ts';

function vmi(types: readonly string[], spec = {}): VirtualMachineInstance {
  const conditions = types.map((type): VMICondition => ({ type, status: 'True' }));
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'a' },
    spec: { domain: { devices: {} }, ...spec },
    status: { phase: 'Running', conditions },
  };
}

test('a guest is up when its agent answers, not when its VMI runs', () => {
  assert.equal(guestSign(vmi(['Ready'])).seen, false);
  assert.equal(guestSign(vmi(['Ready', 'AgentConnected'])).seen, true);
});

test('with a readiness probe, that says it', () => {
  const spec = { readinessProbe: { tcpSocket: { port: 80 } } };
  assert.deepEqual(guestSign(vmi(['AgentConnected'], spec)), {
    what: 'its readiness probe',
    seen: false,
    certain: true,
  });
  assert.equal(guestSign(vmi(['Ready'], spec)).seen, true);
});
