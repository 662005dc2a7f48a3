import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskSizes, grownDisks } from './growth.ts';

const MIB = 1024 * 1024;
const stats = {
  'block.count': 2,
  'block.0.name': 'vda',
  'block.0.capacity': 10 * MIB,
  'block.1.name': 'sda',
};

test('a disk grows to its claim in whole MiB, and never shrinks', () => {
  const sizes = diskSizes(stats);
  assert.deepEqual([...sizes], [['vda', 10 * MIB]]);
  const targets = { data: 'vda', other: 'sda' };
  const grown = (capacityBytes: number) =>
    grownDisks(targets, sizes, { data: { block: false, capacityBytes } });
  assert.deepEqual(grown(20 * MIB + 5), [{ target: 'vda', sizeBytes: 20 * MIB }]);
  assert.deepEqual(grown(10 * MIB + 5), []);
  assert.deepEqual(grown(5 * MIB), []);
});

test('what is not known is left alone', () => {
  const volumes = {
    other: { block: true, capacityBytes: 99 * MIB },
    elsewhere: { block: true, capacityBytes: 1 },
    data: { block: true },
  };
  assert.deepEqual(grownDisks({ data: 'vda', other: 'sda' }, diskSizes(stats), volumes), []);
});
