import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { firstNames } from './first-names.ts';

test('as many names as were asked for, or all', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-names-'));
  try {
    assert.deepEqual(firstNames(directory, 3), []);
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(directory, name), '');
    assert.equal(firstNames(directory, 3).length, 3);
    assert.deepEqual(firstNames(directory, 10).toSorted(), ['a', 'b', 'c', 'd']);
    assert.throws(() => firstNames(join(directory, 'none'), 3), { code: 'ENOENT' });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
