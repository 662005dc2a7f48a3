import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestMapping } from './guest-memory.ts';

const mapping = (range: string, rights: string, size: number, pss: number, file = ''): string =>
  `${range} ${rights} 00000000 00:00 0 ${file}\nSize:           ${size} kB\nRss:     ${pss} kB\nPss:      ${pss} kB\nPss_Dirty:    1 kB\n`;

test('the mapping that the guest lives in, and not the room for translated code', () => {
  const smaps = [
    mapping('7f0000000000-7f0040000000', 'rwxp', 1_048_576, 90_000),
    mapping('7f0100000000-7f010c010000', 'rw-p', 196_672, 70_000),
    mapping('7f0200000000-7f0200800000', 'rw-p', 8_192, 4_000),
    mapping('7f0300000000-7f0310000000', 'r--p', 262_144, 100_000),
  ].join('');
  assert.deepEqual(largestMapping(smaps), { sizeBytes: 196_672 * 1024, usedBytes: 70_000 * 1024 });
  assert.deepEqual(largestMapping(''), { sizeBytes: 0, usedBytes: 0 });
});

test('memory that a guest shares with others is its own, however little it has of it', () => {
  const smaps = [
    mapping('7f0100000000-7f010c000000', 'rw-p', 196_608, 12_000, '/run/hotplug-disks/.shared-memory/memory'),
    mapping('7f0200000000-7f0200800000', 'rw-p', 8_192, 40_000),
  ].join('');
  assert.deepEqual(largestMapping(smaps), { sizeBytes: 196_608 * 1024, usedBytes: 12_000 * 1024 });
});
