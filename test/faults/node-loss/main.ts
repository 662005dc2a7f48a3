/**
 * Losses and cuts of nodes at random, one after the other: `node test/faults/node-loss/main.ts [--times 200]
 * [--guests N] [--tiny] [--hits N] [--minutes N] [--seed N] [--lease SECONDS] [--silence SECONDS]`. Each takes the power, the
 * network, the storage, or network and storage of one node for a while, and may kill virt-controller in the middle, or
 * stop the launcher or the whole Pod of any guest. After each of them no two runs of a guest may have overlapped, and
 * every entry that a guest acknowledged must be on its disk.
 *
 * Two things are counted, and are not the same: losses and cuts of nodes (`--times`), and guests that were hit by them
 * (`--hits`), each of which is judged alone. Guests are Linux with a journal; with `--tiny` they are one boot sector
 * that writes, watched on its disk, of which half a dozen are lost at once on two cores.
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { randomFrom } from '@podvisor/base';
import { nodeLossBounds } from '@podvisor/api';
import { Losses, type Outcome } from './losses.ts';
import { LossWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    /** Losses and cuts of nodes at most. */
    times: { type: 'string', default: '200' },
    /** VMs, all of them on the first node at first. */
    guests: { type: 'string', default: '1' },
    tiny: { type: 'boolean', default: false },
    /** Guests that were hit: no new loss is begun when it were so many. */
    hits: { type: 'string', default: 'Infinity' },
    /** No new loss is begun after so many. */
    minutes: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: `${Date.now() % 100_000}` },
    lease: { type: 'string', default: `${nodeLossBounds.leaseSeconds.min}` },
    silence: { type: 'string', default: `${nodeLossBounds.silenceSeconds.min}` },
  },
});
const config = { leaseSeconds: Number(values.lease), silenceSeconds: Number(values.silence) };

await using world = await LossWorld.create(config);
const names = Array.from({ length: Number(values.guests) }, (_, index) => `survivor-${index + 1}`);
const survivors = await (values.tiny ? world.startTicking(names) : world.start(...names));
const losses = new Losses(world, survivors, randomFrom(Number(values.seed)), config);
console.log(
  `seed ${values.seed}, ${names.length} ${values.tiny ? 'tiny ' : ''}guests, ${JSON.stringify(config)}`,
);
const endsAt = Date.now() + Number(values.minutes) * 60_000;
const outcomes: Outcome[] = [];
const hits = (): number => outcomes.reduce((sum, { guests }) => sum + guests.length, 0);
try {
  while (outcomes.length < Number(values.times) && hits() < Number(values.hits) && Date.now() < endsAt) {
    const outcome = await losses.next();
    outcomes.push(outcome);
    console.log(`${outcomes.length}: ${outcome.told}`);
    const problems = survivors.flatMap((survivor) => survivor.judge());
    assert.deepEqual(problems, [], problems.join('\n'));
  }
} catch (error) {
  // The home goes with this process: what it knew is told before.
  console.log(`the next one failed (seed ${values.seed})`);
  for (const survivor of survivors) console.log(`${survivor.name}\n${await survivor.evidence()}`);
  throw error;
} finally {
  console.log(summary());
}

function summary(): string {
  const sorted = outcomes
    .flatMap(({ guests }) => guests.flatMap(({ elsewhereMs }) => elsewhereMs ?? []))
    .toSorted((a, b) => a - b);
  const at = (share: number): string =>
    ((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1000).toFixed(1);
  const ended = outcomes.flatMap(({ guests }) => guests.filter(({ isNew }) => isNew)).length;
  const problems = survivors.flatMap((survivor) => survivor.judge());
  return [
    `${outcomes.length} losses and cuts of nodes (${kinds()}), ${hits()} guests hit, ${ended} of them started anew`,
    `problems (overlapping runs, acknowledged entries that are lost): ${problems.length}`,
    `power lost → Running elsewhere, ${sorted.length} guests: median ${at(0.5)} s, longest ${at(1)} s`,
  ].join('\n');
}

function kinds(): string {
  const counts = new Map<string, number>();
  for (const { kind } of outcomes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ');
}
