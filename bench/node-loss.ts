/**
 * How long a VM is away when its node loses its power: from the loss until it is Running on another node, and until
 * its guest writes again, with the default times and with the shortest ones.
 */
import { nodeLossBounds } from '@podvisor/api';
import { median } from './hibernation.ts';
import { note } from './targets.ts';
import { LossWorld, type Survivor, type Times } from '../test/faults/node-loss/world.ts';

const DEFAULT_RUNS = 3;
const LIMIT_MS = 240_000;
const SHORTEST: Times = {
  leaseSeconds: nodeLossBounds.leaseSeconds.min,
  silenceSeconds: nodeLossBounds.silenceSeconds.min,
};

export async function benchNodeLoss(args: readonly string[]): Promise<void> {
  const runs = Number(args[args.indexOf('--runs') + 1]) || DEFAULT_RUNS;
  await using world = await LossWorld.create();
  const [survivor] = await world.start('survivor');
  if (survivor === undefined) return;
  const usual = await losses(world, survivor, runs);
  note('nodeLoss', usual.runningMs);
  console.log(`default times: ${usual.told} (target: 60 s)`);
  await world.configure(SHORTEST);
  // Guests keep the times that they were started with, so this one starts once more.
  await lose(world, survivor);
  const shortest = await losses(world, survivor, runs);
  note('nodeLossShortest', shortest.runningMs);
  console.log(`shortest times: ${shortest.told} (target: 15 s)`);
  const problems = survivor.judge();
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** `runningMs`: the median. */
async function losses(
  world: LossWorld,
  survivor: Survivor,
  runs: number,
): Promise<{ readonly runningMs: number; readonly told: string }> {
  const running: number[] = [];
  const writing: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { runningMs, writingMs } = await lose(world, survivor);
    running.push(runningMs);
    writing.push(writingMs);
  }
  return {
    runningMs: median(running),
    told: `power lost → Running elsewhere ${told(running)}, → guest writes again ${told(writing)}`,
  };
}

async function lose(
  world: LossWorld,
  survivor: Survivor,
): Promise<{ readonly runningMs: number; readonly writingMs: number }> {
  const before = await survivor.vmi();
  const node = before?.status?.nodeName ?? '';
  const from = Date.now();
  await world.fault('kill', node);
  await survivor.restarted(before, LIMIT_MS);
  const runningMs = Date.now() - from;
  await survivor.writes(from + runningMs, LIMIT_MS);
  const writingMs = Date.now() - from;
  // The next loss needs an elsewhere.
  await world.heal(node);
  return { runningMs, writingMs };
}

function told(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b).map((ms) => (ms / 1000).toFixed(1));
  return `${sorted[Math.floor(sorted.length / 2)]} s (${sorted[0]}–${sorted.at(-1)})`;
}
