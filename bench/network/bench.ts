/**
 * What the network costs: phase 1 for one Pod (plan, apply, nothing else), and TCP throughput between a guest and the
 * world outside the Pod for each binding, beside a bare bridge in the same run: of the paths alone (`paths.ts`),
 * then of real guests (`guests.ts`).
 */
import { parseArgs } from 'node:util';
import type { Interface } from '@podvisor/api';
import { benchGuests } from './guests.ts';
import { benchPaths } from './paths.ts';
import { bind, withPod } from './pod.ts';

const BINDINGS: Readonly<Record<string, Partial<Interface>>> = {
  masquerade: { masquerade: {} },
  bridge: { bridge: {} },
};

export async function benchNetwork(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '1' },
      megabytes: { type: 'string', default: '64' },
      queues: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '7' },
    },
  });
  const rounds = Number(values.rounds);
  for (const [name, nic] of Object.entries(BINDINGS)) {
    const times = await phaseOneTimes(nic, Number(values.runs));
    console.log(`phase 1, ${name.padEnd(10)} ${summary(times)} ms a Pod (bar: 50 ms)`);
  }
  await benchPaths(BINDINGS, Number(values.seconds), rounds);
  await benchGuests(Number(values.megabytes), rounds, Number(values.queues));
}

async function phaseOneTimes(nic: Partial<Interface>, runs: number): Promise<readonly number[]> {
  return await withPod(async (pod) => {
    const times: number[] = [];
    for (let i = 0; i < runs; i += 1) {
      const start = performance.now();
      const undo = await bind(pod, nic);
      times.push(performance.now() - start);
      await undo();
    }
    return times;
  });
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
  return `p50 ${at(0.5)}, max ${at(1)}`;
}
