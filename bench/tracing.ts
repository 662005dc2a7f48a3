/**
 * What tracing costs: two homes side by side, one that sends its spans to a collector (OTEL_EXPORTER_OTLP_ENDPOINT) and
 * one that was told of none, with the same VMI started and ended in both, in turns. The difference bounds what the code
 * for it can cost where the variable is not set: all that runs there runs where it is set, too.
 */
import { parseArgs } from 'node:util';
import { resources } from '@podvisor/kube';
import { Collector } from '../test/support/collector.ts';
import { Instance, root } from '../test/support/instance.ts';
import { describeCpu, HomeProcesses } from './home-processes.ts';
import { mean, median, NAMESPACE, startAndDelete, type Timeline } from './start.ts';
import { note } from './targets.ts';

interface Home {
  readonly label: string;
  readonly instance: Instance;
  readonly runs: Timeline[];
}

export async function benchTracing(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { runs: { type: 'string', default: '15' } } });
  using collector = await Collector.start();
  const homes: Home[] = [];
  try {
    for (const [label, endpoint] of [
      ['not set', ''],
      ['set', collector.endpoint],
    ] as const) {
      const instance = await Instance.prepare();
      homes.push({ label, instance, runs: [] });
      instance.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint;
      console.log(`starting an instance of its own, OTEL_EXPORTER_OTLP_ENDPOINT ${label}`);
      const { code, stdout, stderr } = await instance.up('--no-wait', `${root}/examples/hello.yaml`);
      if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
      await instance.client.delete(resources.virtualMachines, { namespace: NAMESPACE, name: 'hello' });
      await startAndDelete(instance.client, 'warm-up');
    }
    const heard = collector.spans.length;
    for (let run = 0; run < Number(values.runs); run += 1)
      // Who goes first changes: a start may find the machine warmer for the one before it.
      for (const { instance, runs } of run % 2 === 0 ? homes : homes.toReversed())
        runs.push(
          await startAndDelete(instance.client, `bench-${run}`, undefined, new HomeProcesses(instance.home)),
        );
    for (const { label, runs } of homes) {
      console.log(
        `\n${label}: VMI create → Running, median of ${runs.length}: ${median(runs.map((r) => r.runningMs)).toFixed(0)} ms`,
      );
      console.log(`  CPU of the home a start, mean: ${describeCpu(mean(runs.map((r) => r.cpu.start)))}`);
      console.log(`  CPU of the home an end, mean: ${describeCpu(mean(runs.map((r) => r.cpu.end)))}`);
    }
    const [without = 0, withIt = 0] = homes.map(({ runs }) =>
      [...mean(runs.map((r) => r.cpu.start)).values()].reduce((sum, ms) => sum + ms, 0),
    );
    note('tracing', without / withIt);
    console.log(
      `\nspans a start and end where it is set: ${((collector.spans.length - heard) / Number(values.runs)).toFixed(1)}`,
    );
  } finally {
    for (const { instance } of homes) await instance.purge();
  }
}
