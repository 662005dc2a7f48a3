import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growsInPlace } from './grow-in-place.ts';
import type { VMICondition } from '../types/index.ts';

const asks = (...conditions: readonly VMICondition[]): boolean =>
  growsInPlace({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'a' },
    spec: { domain: { devices: {} } },
    status: { conditions },
  });

test('only a change that is asked for, and by its reason without a migration', () => {
  assert.equal(asks({ type: 'HotVCPUChange', status: 'True', reason: 'InPlace' }), true);
  assert.equal(asks({ type: 'HotMemoryChange', status: 'True', reason: 'InPlace' }), true);
  assert.equal(asks({ type: 'HotVCPUChange', status: 'True' }), false);
  assert.equal(asks({ type: 'HotVCPUChange', status: 'False', reason: 'InPlace' }), false);
  assert.equal(asks({ type: 'VolumesChange', status: 'True', reason: 'InPlace' }), false);
});
