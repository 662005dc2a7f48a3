import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Domain } from '../model/domain.ts';
import { withRoomForMemory } from './memory-room.ts';

const plain: Domain = {
  memory: { unit: 'b', value: 1024 ** 3 },
  vcpu: { value: 4 },
  cpu: { mode: 'host-model' },
};

test('a ceiling gets a slot and a cell; what has them, or needs none, stays', () => {
  assert.equal(withRoomForMemory(plain), plain);
  const roomy = withRoomForMemory({ ...plain, maxMemory: { slots: 0, unit: 'b', value: 4 * 1024 ** 3 } });
  assert.equal(roomy.maxMemory?.slots, 1);
  assert.deepEqual(roomy.cpu, {
    mode: 'host-model',
    numa: { cells: [{ id: '0', cpus: '0-3', memory: 1024 ** 2, unit: 'KiB' }] },
  });
  assert.deepEqual(withRoomForMemory(roomy), roomy);
});
