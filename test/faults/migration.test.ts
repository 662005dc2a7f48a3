/**
 * Faults in the middle of a migration, with a guest that writes to a disk and reports what it wrote. The whole table
 * is `test/faults/migration/table.ts`, run by `node test/faults/migration/main.ts`; here is one cell of each kind.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runCell } from './migration/run-cell.ts';
import { SHORT } from './migration/table.ts';
import { World } from './migration/world.ts';

describe('faults in a migration', { concurrency: 1, timeout: 1_200_000 }, () => {
  let world: World;

  before(async () => {
    world = await World.create();
  });
  after(() => world?.[Symbol.asyncDispose]());

  for (const cell of SHORT)
    test(`${cell.phase}: ${cell.fault}`, async () => {
      const { result } = await runCell(world, cell);
      assert.ok(cell.outcome === 'may-restart' || result !== 'restarted');
    });

  test('nothing is left behind', () => {
    assert.deepEqual(world.migrationSockets(), []);
  });
});
