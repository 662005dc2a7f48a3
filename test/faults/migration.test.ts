/**
 * Faults in the middle of a migration, with a guest that writes to a disk and reports what it wrote. The whole table
 * is `test/faults/migration/table.ts`, run by `node test/faults/migration/main.ts`; here is one cell of each kind.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { Echo } from '../support/echo.ts';
import { runCell } from './migration/run-cell.ts';
import { SHORT } from './migration/table.ts';
import { World } from './migration/world.ts';

describe('faults in a migration', { concurrency: 1, timeout: 1_200_000 }, () => {
  let world: World;

  before(async () => {
    world = await World.create();
  });
  after(() => world?.[Symbol.asyncDispose]());

  test('without a fault: a connection into the guest goes on, devices keep their names, a pause stays', async () => {
    const names = await world.deviceNames();
    const before = await world.vmi();
    using echo = await Echo.open(before?.status?.interfaces?.[0]?.ipAddress ?? '');
    assert.equal(await echo.ask('one'), 'one');
    assert.equal(await world.move(), 'Succeeded');
    assert.equal(await echo.ask('two'), 'two');
    const after = await world.vmi();
    assert.notEqual(after?.status?.nodeName, before?.status?.nodeName);
    assert.deepEqual(await world.deviceNames(), names);
    assert.equal(after?.status?.migrationState?.mode, 'PreCopy');

    assert.equal((await world.instance.virtctl('pause', 'vmi', 'traveller')).code, 0);
    try {
      assert.equal(await world.move(), 'Succeeded');
      await eventually('the pause is told by the new node', 15_000, async () => {
        const paused = (await world.vmi())?.status?.conditions?.find(({ type }) => type === 'Paused');
        return paused?.reason === 'PausedByUser' ? true : undefined;
      });
    } finally {
      // Whatever happened: those who come after need a guest that runs.
      const unpaused = await world.instance.virtctl('unpause', 'vmi', 'traveller');
      assert.equal(unpaused.code, 0, unpaused.stderr);
    }
    await world.reporting(Date.now(), 60_000);
    assert.equal(await echo.ask('three'), 'three');
    assert.deepEqual(world.reports.contradictions(), []);
  });

  for (const cell of SHORT)
    test(`${cell.phase}: ${cell.fault}`, async () => {
      const { result } = await runCell(world, cell);
      assert.ok(cell.outcome === 'may-restart' || result !== 'restarted');
    });

  test('nothing is left behind', () => {
    assert.deepEqual(world.migrationSockets(), []);
  });
});
