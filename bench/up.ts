/**
 * The first minute: `./podvisor up examples/hello.yaml` in a home that is new, packages installed and programs and
 * image built, typed as people type it; until the VM runs and until its guest is up (READY), step by step. Each run has
 * a home of its own. One run before, which builds what is missing, does not count.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Instance, root } from '../test/support/instance.ts';
import { median, told } from './hibernation.ts';
import { note } from './targets.ts';
import { READY, RUNNING, type StampedLine, upSteps } from './up-steps.ts';

const DEFAULT_RUNS = 5;

export async function benchUp(args: readonly string[]): Promise<void> {
  const runs = Number(args[args.indexOf('--runs') + 1]) || DEFAULT_RUNS;
  await firstMinute();
  const all: ReadonlyMap<string, number>[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await firstMinute());
  const at = (step: string): number[] => all.map((steps) => steps.get(step) ?? Number.NaN);
  console.log(
    `up examples/hello.yaml, new home → VM Running: ${told(at(RUNNING))}; → READY: ${told(at(READY))}`,
  );
  let before = 0;
  for (const step of all[0]?.keys() ?? []) {
    const ended = median(at(step));
    console.log(`  ${step.padEnd(40)} ${ended.toFixed(0).padStart(6)} ms  +${(ended - before).toFixed(0)}`);
    before = ended;
  }
  note('upRunning', median(at(RUNNING)));
}

/** One home, from nothing to READY, and its end. */
async function firstMinute(): Promise<ReadonlyMap<string, number>> {
  const instance = await Instance.prepare();
  try {
    const from = performance.now();
    const network = ['--api-port', String(instance.apiPort), '--pod-cidr', instance.podCidr];
    const up = spawn(`${root}/podvisor`, ['up', `${root}/examples/hello.yaml`, ...network], {
      env: instance.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return upSteps(await stampedLines(up, from));
  } finally {
    await instance.purge();
  }
}

async function stampedLines(child: ChildProcess, from: number): Promise<readonly StampedLine[]> {
  const lines: StampedLine[] = [];
  if (child.stdout === null) throw new Error('podvisor up has no output');
  const ended = once(child, 'close');
  for await (const text of createInterface({ input: child.stdout }))
    lines.push({ text, atMs: performance.now() - from });
  await ended;
  return lines;
}
