import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { blockSizes, isFullyAllocated } from './block-size.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'block-size-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A made-up queue of /dev/null, which every machine has. */
function queueOf(values: Readonly<Record<string, number>>): string {
  const { rdev } = statSync('/dev/null');
  const queue = join(directory, `${rdev >> 8}:${rdev & 255}`, 'queue');
  mkdirSync(queue, { recursive: true });
  for (const [name, value] of Object.entries(values)) writeFileSync(join(queue, name), `${value}\n`);
  return directory;
}

test('a device has the sizes of its queue', () => {
  const sysfs = queueOf({ logical_block_size: 512, physical_block_size: 4096, discard_granularity: 4096 });
  assert.deepEqual(blockSizes('/dev/null', true, sysfs), {
    logicalBytes: 512,
    physicalBytes: 4096,
    discardBytes: 4096,
  });
});

test('a size that is missing follows the other, an odd granularity the sector', () => {
  const sysfs = queueOf({ logical_block_size: 0, physical_block_size: 4096, discard_granularity: 512 });
  assert.deepEqual(blockSizes('/dev/null', true, sysfs), {
    logicalBytes: 4096,
    physicalBytes: 4096,
    discardBytes: 4096,
  });
});

test('a device without sizes is an error', () => {
  assert.throws(() => blockSizes('/dev/null', true, directory), /no block size of \/dev\/null/);
});

test('a file has the block size of its file system; holes are seen', () => {
  const file = join(directory, 'disk.img');
  writeFileSync(file, Buffer.alloc(8192, 1));
  const sizes = blockSizes(file, false);
  assert.equal(sizes.logicalBytes, sizes.physicalBytes);
  assert.ok(sizes.logicalBytes >= 512);
  truncateSync(file, 1024 * 1024);
  assert.equal(isFullyAllocated(file), false);
});
