import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureDiskImage, imageSize } from './disk-image.ts';

const MIB = 1024 * 1024;

test('the size of a new image', () => {
  const cases: readonly (readonly [number, number, number])[] = [
    [100 * MIB, 200 * MIB, 100 * MIB],
    [100 * MIB + 7, 200 * MIB, 100 * MIB],
    [100 * MIB, 100 * MIB, 99 * MIB],
    [100 * MIB, 91 * MIB, 90 * MIB],
  ];
  for (const [wanted, available, expected] of cases) assert.equal(imageSize(wanted, available), expected);
  assert.throws(() => imageSize(100 * MIB, 80 * MIB), /does not fit/);
});

test('made once, sparse, nothing left beside it', () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-image-'));
  try {
    const path = join(directory, 'disk.img');
    assert.deepEqual(ensureDiskImage(path, 5 * MIB), { created: true, sizeBytes: 5 * MIB, isSmaller: false });
    assert.deepEqual(ensureDiskImage(path, 9 * MIB), { created: false });
    assert.deepEqual([statSync(path).size, statSync(path).blocks], [5 * MIB, 0]);
    assert.deepEqual(readdirSync(directory), ['disk.img']);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
