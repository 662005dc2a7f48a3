import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { claimRange, isClaimed, releaseRange } from './ranges.ts';

const scratch = mkdtempSync(join(tmpdir(), 'podvisor-ranges-'));
after(() => rmSync(scratch, { recursive: true }));
const directory = (name: string): string => join(scratch, name);

test('no two records have one range, wherever they start to look', () => {
  const claims = directory('distinct');
  const firsts = ['a', 'b', 'c', 'd'].map((record, i) => claimRange(record, claims, i % 2));
  assert.equal(new Set(firsts).size, 4);
  for (const first of firsts) {
    assert.equal(first % 65_536, 0);
    assert.ok(first >= 0x7000_0000 && first + 65_535 < 2 ** 31);
  }
});

test('a range is given back by its holder alone', () => {
  const claims = directory('release');
  const first = claimRange('a', claims, 7);
  releaseRange(first, 'b', claims);
  assert.ok(isClaimed(first, 'a', claims));
  releaseRange(first, 'a', claims);
  assert.ok(!isClaimed(first, 'a', claims));
  assert.equal(claimRange('b', claims, 7), first);
});

test('when all are taken, claims whose record is gone are free again, but not fresh ones', () => {
  const claims = directory('full');
  claimRange('x', claims, 0);
  for (let i = 1; i < 4095; i += 1) writeFileSync(join(claims, String(i)), join(claims, '0'));
  assert.throws(() => claimRange('y', claims), /all 4095 ranges/);
  writeFileSync(join(claims, '5'), join(scratch, 'gone'));
  assert.throws(() => claimRange('y', claims), /all 4095 ranges/);
  utimesSync(join(claims, '5'), 1, 1);
  assert.equal(claimRange('y', claims), 0x7000_0000 + 5 * 65_536);
  assert.equal(readdirSync(claims).length, 4095);
});
