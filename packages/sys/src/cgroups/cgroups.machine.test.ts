import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cgroupDirectories, removeCgroup, weighCgroup, weightOfShares } from './cgroups.ts';
import { cgroupVersion } from '../host-facts.ts';

test('a group is made with its weight, and made heavier', () => {
  const parent = `/podvisor-test-${process.pid}`;
  const path = `${parent}/below`;
  try {
    for (const shares of [2048, 4096]) {
      weighCgroup(path, shares);
      const [file, weight] =
        cgroupVersion() === 2 ? ['cpu.weight', weightOfShares(shares)] : ['cpu.shares', shares];
      const dirs = cgroupDirectories(path);
      assert.equal(dirs.length, 1);
      assert.equal(Number(readFileSync(join(dirs[0] ?? '', file), 'utf8')), weight);
    }
  } finally {
    assert.equal(removeCgroup(parent), true);
  }
});

test('shares in the terms of cgroup v2', () => {
  assert.deepEqual([2, 102, 1024, 2048, 262_144].map(weightOfShares), [1, 4, 39, 79, 10_000]);
});
