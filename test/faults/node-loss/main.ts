/**
 * Losses and cuts of nodes at random, round after round:
 *
 *   node test/faults/node-loss/main.ts [--times 200] [--journal FILE] [--seed N] [--minutes N] [--tiny] [--guests N]
 *     [--nodes N] [--at-once N] [--hits N] [--lease SECONDS] [--silence SECONDS]
 *
 * Each takes the power, the network, the storage, or network and storage of one node for a while; `--at-once` nodes are
 * hit together. virt-controller may be killed in the middle, and the launcher or the whole Pod of any guest be stopped.
 * After each round no two runs of a guest may have overlapped, and every entry that a guest acknowledged must be on
 * its disk.
 *
 * Two things are counted, and are not the same: losses and cuts of nodes (`--times`), and guests that were hit by them
 * (`--hits`), each of which is judged alone. Guests are Linux with a journal; with `--tiny` they are one boot sector
 * that writes, watched on its disk, of which half a dozen are lost at once on two cores.
 *
 * With `--journal` every round is noted there, what it holds counts, and a run that was ended goes on: the same command
 * again. A round that takes too long is noted as given up, with what its home knew, and a new home goes on with the
 * next one. A problem ends the run, with exit status 1.
 */
import { parseArgs } from 'node:util';
import { nodeLossBounds } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { Losses } from './losses.ts';
import { type Round, RunRecord, told } from './record.ts';
import { LossWorld, type Survivor } from './world.ts';

/** Rounds that may be given up: a machine that does not get to its work proves nothing. */
const MOST_GIVEN_UP = 5;

const { values } = parseArgs({
  options: {
    /** Losses and cuts of nodes at least, with those of the journal. */
    times: { type: 'string', default: '200' },
    journal: { type: 'string' },
    seed: { type: 'string', default: `${Date.now() % 100_000}` },
    /** No new round is begun after so many. */
    minutes: { type: 'string', default: 'Infinity' },
    tiny: { type: 'boolean', default: false },
    guests: { type: 'string', default: '1' },
    nodes: { type: 'string' },
    'at-once': { type: 'string', default: '1' },
    /** Guests that were hit: no new round is begun when it were so many. */
    hits: { type: 'string', default: 'Infinity' },
    lease: { type: 'string', default: `${nodeLossBounds.leaseSeconds.min}` },
    silence: { type: 'string', default: `${nodeLossBounds.silenceSeconds.min}` },
  },
});
const times = { leaseSeconds: Number(values.lease), silenceSeconds: Number(values.silence) };
const [seed, atOnce] = [Number(values.seed), Number(values['at-once'])];
// One that is not hit must be left, and one for guests that flee from a node that is hit as well.
const nodes = Number(values.nodes ?? atOnce + 1);
const names = Array.from({ length: Number(values.guests) }, (_, index) => `survivor-${index + 1}`);
const record = new RunRecord(values.journal);
const endsAt = Date.now() + Number(values.minutes) * 60_000;
let givenUp = 0;

console.log(
  `seed ${seed}, ${names.length} ${values.tiny ? 'tiny ' : ''}guests on ${nodes} nodes, ${atOnce} at once, ${JSON.stringify(times)}, ${record.losses.length} losses in the journal`,
);
while (isGoingOn()) await oneHome();
console.log(record.summary());

function isGoingOn(): boolean {
  const hits = record.losses.reduce((sum, { guests }) => sum + guests.length, 0);
  return (
    process.exitCode === undefined &&
    givenUp <= MOST_GIVEN_UP &&
    record.losses.length < Number(values.times) &&
    hits < Number(values.hits) &&
    Date.now() < endsAt
  );
}

/** Rounds until the end, a problem, or one that is given up. */
async function oneHome(): Promise<void> {
  await using world = await LossWorld.create(times, nodes);
  const begin = Array.from({ length: nodes }, (_, index) => `node-${index + 1}`);
  const survivors = await (values.tiny ? world.startTicking(names, { nodes: begin }) : world.start(...names));
  const losses = new Losses({ world, survivors, times, seed, atOnce });
  for (let number = record.next(seed); isGoingOn(); number += 1) {
    const round = await oneRound(losses, survivors, number);
    record.add(round);
    console.log(`${new Date().toISOString().slice(11, 19)} ${record.losses.length} ${told(round)}`);
    if (round.problems.length > 0) process.exitCode = 1;
    if (round.givenUp === undefined && round.problems.length === 0) continue;
    givenUp += 1;
    // The home goes with this: what it knew is told before.
    for (const survivor of survivors) console.log(`${survivor.name}\n${await survivor.evidence()}`);
    return;
  }
}

async function oneRound(losses: Losses, survivors: readonly Survivor[], round: number): Promise<Round> {
  const problems = (): readonly string[] => survivors.flatMap((survivor) => survivor.judge());
  try {
    const lost = await losses.round(round);
    return { seed, round, losses: lost, problems: problems() };
  } catch (error) {
    return { seed, round, losses: [], problems: problems(), givenUp: messageOf(error) };
  }
}
