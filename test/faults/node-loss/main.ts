/**
 * Losses of nodes at random, one after the other: `node test/faults/node-loss/main.ts [--times 200] [--minutes N]
 * [--seed N] [--lease SECONDS] [--silence SECONDS]`. Each takes the power, the network, the storage, or network and storage of
 * the node that the guest is on, for a while, and may kill virt-controller or stop the launcher in the middle. At the
 * end two runs must never have overlapped, and every entry that the guest acknowledged must be on its disk.
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { randomFrom } from '@podvisor/base';
import { nodeLossBounds } from '@podvisor/api';
import { eventually } from '../../support/eventually.ts';
import { LossWorld, stopLauncher, type Survivor } from './world.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '200' },
    /** No new loss is begun after so many. */
    minutes: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: `${Date.now() % 100_000}` },
    lease: { type: 'string', default: `${nodeLossBounds.leaseSeconds.min}` },
    silence: { type: 'string', default: `${nodeLossBounds.silenceSeconds.min}` },
  },
});
const random = randomFrom(Number(values.seed));
const config = { leaseSeconds: Number(values.lease), silenceSeconds: Number(values.silence) };
const longestMs = (config.leaseSeconds + config.silenceSeconds) * 2_000 + 20_000;
const RUNS_MS = 240_000;

const KINDS = ['power', 'network', 'storage', 'both'] as const;
type Kind = (typeof KINDS)[number];
const EXTRAS = ['nothing', 'nothing', 'kill virt-controller', 'stop the launcher'] as const;

await using world = await LossWorld.create(config);
const [survivor] = await world.start('survivor');
assert.ok(survivor !== undefined);
const restartsMs: number[] = [];
console.log(`seed ${values.seed}, ${JSON.stringify(config)}`);
const endsAt = Date.now() + Number(values.minutes) * 60_000;
let round = 0;
while (round < Number(values.times) && Date.now() < endsAt) {
  round += 1;
  const kind = KINDS[Math.floor(random() * KINDS.length)] ?? 'power';
  const extra = EXTRAS[Math.floor(random() * EXTRAS.length)] ?? 'nothing';
  const waitMs = random() * longestMs;
  const loss = `${round}: ${kind}, ${extra}, ${Math.round(waitMs / 100) / 10} s`;
  const figure = await lose(survivor, kind, extra, waitMs).catch(async (error: unknown) => {
    // The home goes with this process: what it knew is told before.
    console.log(`${loss}: failed (seed ${values.seed})\n${await survivor.evidence()}`);
    throw error;
  });
  console.log(`${loss}: ${figure}`);
  const problems: readonly string[] = survivor.judge();
  assert.deepEqual(problems, [], problems.join('\n'));
}
const sorted = restartsMs.toSorted((a, b) => a - b);
const at = (share: number): string =>
  ((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1000).toFixed(1);
console.log(
  `${round} losses: 0 overlapping runs, 0 acknowledged entries lost; power lost → Running elsewhere (${sorted.length}): median ${at(0.5)} s, longest ${at(1)} s`,
);

/** One loss, and the end of it: the guest writes, wherever it is. */
async function lose(
  survivor: Survivor,
  kind: Kind,
  extra: (typeof EXTRAS)[number],
  waitMs: number,
): Promise<string> {
  const before = await survivor.vmi();
  const node = before?.status?.nodeName ?? '';
  const lostAt = Date.now();
  if (kind === 'storage' || kind === 'both') await world.fault('cut', node, '--storage');
  if (kind === 'network' || kind === 'both') await world.fault('cut', node);
  if (kind === 'power') await world.fault('kill', node);
  if (extra === 'kill virt-controller')
    process.kill(await world.instance.pidOf('virt-controller'), 'SIGKILL');
  // It wakes later, when somebody else may have its disks.
  const goOn = extra === 'stop the launcher' ? stopLauncher(before) : () => undefined;
  let figure = 'healed';
  if (kind === 'power') {
    await survivor.restarted(before, RUNS_MS);
    const tookMs = Date.now() - lostAt;
    if (extra === 'nothing') restartsMs.push(tookMs);
    figure = `elsewhere after ${(tookMs / 1000).toFixed(1)} s`;
  } else await new Promise((resolve) => setTimeout(resolve, waitMs));
  goOn();
  await world.fault('heal', node);
  await eventually('one run of it', RUNS_MS, async () =>
    (await survivor.vmi())?.status?.phase === 'Running' ? true : undefined,
  );
  await survivor.writes(Date.now(), RUNS_MS);
  return figure;
}
