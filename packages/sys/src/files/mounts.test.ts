import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLetGoAtOnce, parseMountinfo } from './mounts.ts';

const [root, bound, claim, memory, overlay] = parseMountinfo(
  [
    '21 1 8:1 / / rw - ext4 /dev/sda1 rw',
    '22 21 8:1 /volumes/a /pods/a rw - ext4 /dev/sda1 rw',
    '23 21 7:0 / /pods/claim rw - ext4 /dev/loop0 rw',
    '24 21 0:40 / /pods/memory rw - tmpfs tmpfs rw',
    '25 21 0:41 / /pods/root rw - overlay overlay rw,lowerdir=/a,upperdir=/b,workdir=/c,volatile',
  ].join('\n'),
) as [never, never, never, never, never];

test('a file system that is still mounted elsewhere, or in memory, is let go at once', () => {
  assert.equal(isLetGoAtOnce(bound, [root, claim]), true);
  assert.equal(isLetGoAtOnce(memory, [root]), true);
  assert.equal(isLetGoAtOnce(overlay, [root]), true);
});

test('the last mount of a file system on a disk may have much to write', () => {
  assert.equal(isLetGoAtOnce(claim, [root, bound, memory]), false);
});
