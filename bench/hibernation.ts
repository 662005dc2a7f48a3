/**
 * How fast a hibernated guest is back, beside a guest that boots: from the request until its web page answers, in turns
 * in one run. Both are guests of 192 MiB with a container disk; the page holds the boot id, so that a guest that booted
 * instead of waking is noticed.
 */
import { resources } from '@podvisor/kube';
import { bootIdVm } from '../test/support/guests/boot-id-vm.ts';
import { eventually } from '../test/support/eventually.ts';
import { GuestPage } from '../test/support/guests/guest-page.ts';
import { Instance } from '../test/support/instance.ts';
import { note } from './targets.ts';

const DEFAULT_RUNS = 5;

export async function benchHibernation(args: readonly string[]): Promise<void> {
  const runs = Number(args[args.indexOf('--runs') + 1]) || DEFAULT_RUNS;
  const instance = await Instance.prepare();
  try {
    const sleeper = await GuestPage.up(instance, 'sleeper');
    const bootId = await sleeper.page();
    const cold: number[] = [];
    const save: number[] = [];
    const wake: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      cold.push(await timed(() => boot(instance, `cold-${run}`)));
      await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: `cold-${run}` });
      save.push(await timed(() => command(instance, 'hibernate', 'sleeper', '--wait')));
      wake.push(
        await timed(async () => {
          await command(instance, 'start', 'sleeper');
          await sleeper.ready();
        }),
      );
      if ((await sleeper.page()) !== bootId) throw new Error('the guest booted instead of waking');
    }
    const ratio = median(wake) / median(cold);
    note('wake', ratio);
    console.log(
      `wake → guest answers: ${told(wake)} = ${ratio.toFixed(2)} × create → guest answers (${told(cold)}); hibernate → nothing of it runs: ${told(save)}`,
    );
  } finally {
    await instance.purge();
  }
}

async function boot(instance: Instance, name: string): Promise<void> {
  await (await GuestPage.create(instance, bootIdVm(name))).ready();
}

async function command(instance: Instance, ...words: readonly string[]): Promise<void> {
  await eventually(words.join(' '), 60_000, async () => {
    const { code, stderr } = await instance.virtctl(...words);
    if (code !== 0) throw new Error(stderr);
    return true;
  });
}

/** Milliseconds. */
export async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Median and spread of milliseconds, for people. */
export function told(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)].map((ms) => ms.toFixed(0));
  return `${median(values).toFixed(0)} ms (${least}–${most})`;
}
