/** The whole table: `node test/faults/migration/main.ts [--only REGEX] [--times N]`. Takes about half an hour. */
import { parseArgs } from 'node:util';
import { eventually } from '../../support/eventually.ts';
import { runCell } from './run-cell.ts';
import { TABLE } from './table.ts';
import { World } from './world.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, times: { type: 'string', default: '1' } },
});
const cells = TABLE.filter(({ fault, phase }) => new RegExp(values.only).test(`${phase}/${fault}`));
let failures = 0;
let world = await World.create();
try {
  for (const cell of Array.from({ length: Number(values.times) }, () => cells).flat()) {
    const label = `${cell.phase}/${cell.fault}`.padEnd(36);
    try {
      const { settledMs, result, phase, silenceMs } = await runCell(world, cell);
      const figures = `settled ${(settledMs / 1000).toFixed(1)} s, silent ${(silenceMs / 1000).toFixed(1)} s`;
      console.log(`ok    ${label} ${result.padEnd(9)} ${phase.padEnd(9)} ${figures}`);
    } catch (error) {
      failures += 1;
      console.log(`FAIL  ${label} ${error instanceof Error ? error.message : String(error)}`);
      if (process.env['PODVISOR_KEEP'] === '1') {
        console.log(`home: ${world.instance.home}`);
        process.exit(1);
      }
      // What is left of it would harm the next cell.
      await world[Symbol.asyncDispose]();
      world = await World.create();
    }
  }
  // The source's virt-handler closes its ends when it has heard of the end, a moment after everybody else.
  const isClean = (): true | undefined => (world.migrationSockets().length === 0 ? true : undefined);
  await eventually('the sockets of the last migration are gone', 10_000, isClean).catch(() => {});
  const left = world.migrationSockets();
  if (left.length > 0) failures += 1;
  console.log(left.length === 0 ? 'nothing is left behind' : `left behind: ${left.join(' ')}`);
} finally {
  await world[Symbol.asyncDispose]();
}
process.exit(failures === 0 ? 0 : 1);
