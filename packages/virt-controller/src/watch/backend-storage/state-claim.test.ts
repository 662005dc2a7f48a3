import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type VirtualMachineInstance } from '@podvisor/api';
import { buildStateClaim, stateClaimName } from './state-claim.ts';

const vmi = (uid: string, persistent: boolean): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid,
    ownerReferences: [
      { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'web', uid: 'vm', controller: true },
    ],
  },
  spec: { domain: { devices: { tpm: { persistent } } } },
});

test('every run of a VM finds the same claim; one that keeps nothing has none', () => {
  assert.equal(stateClaimName(vmi('1', false)), undefined);
  assert.equal(stateClaimName(vmi('1', true)), stateClaimName(vmi('2', true)));
  const claim = buildStateClaim(vmi('1', true), clusterConfig());
  assert.match(claim.metadata.name ?? '', /^persistent-state-for-web-\w{5}$/);
  assert.equal(claim.metadata.ownerReferences?.[0]?.uid, 'vm');
  assert.deepEqual(claim.spec.accessModes, ['ReadWriteOnce']);
});
