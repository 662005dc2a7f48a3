import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  annotations,
  HIBERNATION_VOLUME_TYPE,
  hibernatedStateText,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { stateKeyOf } from './state-key.ts';

const MASTER = Buffer.alloc(32, 1);
const ID = '0d8d1f7c-7a5e-4b9e-9d6e-0123456789ab';
const vmi = (uid: string, namespace: string, wakes?: string): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: {
    uid,
    namespace,
    ...(wakes === undefined
      ? {}
      : {
          annotations: {
            [annotations.hibernatedState]: hibernatedStateText({ claimName: 'c', id: wakes, isWhole: true }),
          },
        }),
  },
  spec: {
    domain: { devices: {} },
    ...(wakes === undefined
      ? { utilityVolumes: [{ name: 'h', claimName: 'c', type: HIBERNATION_VOLUME_TYPE }] }
      : {}),
  },
});

test('who wakes gets the key of who was saved; nobody else does', () => {
  const saved = stateKeyOf(vmi(ID, 'shop'), MASTER).stateKey;
  const other = '1d8d1f7c-7a5e-4b9e-9d6e-0123456789ab';
  assert.equal(Buffer.from(saved ?? '', 'base64').length, 32);
  assert.equal(stateKeyOf(vmi(other, 'shop', ID), MASTER).stateKey, saved);
  assert.notEqual(stateKeyOf(vmi(other, 'shop', other), MASTER).stateKey, saved);
  assert.notEqual(stateKeyOf(vmi(other, 'bank', ID), MASTER).stateKey, saved);
  assert.notEqual(stateKeyOf(vmi(ID, 'shop'), Buffer.alloc(32, 2)).stateKey, saved);
  assert.deepEqual(stateKeyOf(vmi(ID, 'shop'), undefined), {});
});
