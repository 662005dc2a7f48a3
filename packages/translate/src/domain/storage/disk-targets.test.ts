import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vmiOf } from '../../testing/vmi.ts';
import { assignTargets, lettersOf } from './disk-targets.ts';

test('letters count like spreadsheet columns', () => {
  assert.deepEqual([0, 25, 26, 27, 51, 52, 701, 702].map(lettersOf), [
    'a',
    'z',
    'aa',
    'ab',
    'az',
    'ba',
    'zz',
    'aaa',
  ]);
});

test('names are given per prefix, in order', () => {
  const targets = assignTargets(vmiOf(), [
    { name: 'a', bus: 'virtio' },
    { name: 'b', bus: 'sata' },
    { name: 'c', bus: 'scsi' },
    { name: 'd', bus: 'virtio' },
  ]);
  assert.deepEqual(
    targets.map(({ dev }) => dev),
    ['vda', 'sda', 'sdb', 'vdb'],
  );
});

test('a name once given stays, and is not given to another', () => {
  const vmi = {
    ...vmiOf(),
    status: { volumeStatus: [{ name: 'root', target: 'vdb' }] },
  };
  const targets = assignTargets(vmi, [
    { name: 'new', bus: 'virtio' },
    { name: 'root', bus: 'virtio' },
    { name: 'newer', bus: 'virtio' },
  ]);
  assert.deepEqual(
    targets.map(({ dev, index }) => [dev, index]),
    [
      ['vda', 0],
      ['vdb', 1],
      ['vdc', 2],
    ],
  );
});

test('a kept name of another bus is not kept', () => {
  const vmi = { ...vmiOf(), status: { volumeStatus: [{ name: 'root', target: 'vda' }] } };
  assert.equal(assignTargets(vmi, [{ name: 'root', bus: 'sata' }])[0]?.dev, 'sda');
});
