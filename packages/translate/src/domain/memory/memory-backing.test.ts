import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf } from '../../testing/vmi.ts';

test('shared memory needs a NUMA cell to hang on', () => {
  const domain = convertOf({
    memory: { guest: '1Gi' },
    devices: { filesystems: [{ name: 'fs', virtiofs: {} }] },
  });
  assert.deepEqual(domain.memoryBacking, { source: { type: 'memfd' }, access: { mode: 'shared' } });
  assert.deepEqual(domain.cpu?.numa?.cells, [{ id: '0', cpus: '0-0', memory: 1048576, unit: 'KiB' }]);
});

test('guests of s390x have no NUMA cells and so no memory file', () => {
  const domain = convertOf(
    { memory: { guest: '1Gi', hugepages: { pageSize: '1Mi' } }, devices: {} },
    { architecture: 's390x' },
  );
  assert.deepEqual(domain.memoryBacking, { hugepages: {} });
  assert.equal(domain.cpu?.numa, undefined);
});
