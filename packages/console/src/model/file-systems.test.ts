import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileSystemRows } from './file-systems.ts';

test('how full each is, by where it is mounted; what has no size is none', () => {
  const rows = fileSystemRows([
    { mountPoint: '/var', fileSystemType: 'ext4', usedBytes: 3 * 2 ** 30, totalBytes: 4 * 2 ** 30 },
    {
      mountPoint: '/',
      fileSystemType: 'xfs',
      usedBytes: 0,
      totalBytes: 2 ** 30,
      disk: [{ busType: 'virtio' }],
    },
    { mountPoint: '/proc', usedBytes: 0, totalBytes: 0 },
  ]);
  assert.deepEqual(
    rows.map(({ place, used, disks }) => [place, used, disks]),
    [
      ['/', 0, 'virtio'],
      ['/var', 0.75, ''],
    ],
  );
  assert.equal(rows[1]?.words, '3.0 GiB of 4.0 GiB, 75 %');
});

test('a guest that tells nonsense breaks nothing', () => {
  const [row, ...more] = fileSystemRows([
    { mountPoint: '/', usedBytes: 9, totalBytes: 1 },
    { mountPoint: '/', usedBytes: 9, totalBytes: 1 },
  ]);
  assert.equal(row?.used, 1);
  assert.deepEqual(more, []);
});
