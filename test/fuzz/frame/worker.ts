/** The thread that a parser is fuzzed in: it may hang, run out of memory or die without harm to who watches it. */
import { parentPort, workerData } from 'node:worker_threads';
import { targets } from '../targets/index.ts';
import { Coverage } from './coverage.ts';
import { CurrentInput } from './current-input.ts';
import { judge } from './judge.ts';
import { fuzz } from './loop.ts';
import type { WorkerJob, WorkerMessage } from './run.ts';

const job = workerData as WorkerJob;
const say = (message: WorkerMessage): void => parentPort?.postMessage(message);
const load = targets[job.target];
if (load === undefined) throw new Error(`there is no target ${job.target}`);
const target = await load();
const current = new CurrentInput(job.current);
const own = new URL('../../../packages/', import.meta.url).href;
const libraries = new URL('../../../node_modules/', import.meta.url).href;

if (job.replay === undefined) {
  for (const seed of target.seeds) await target.feed(Uint8Array.from(seed));
  const coverage = new Coverage((url) => url.startsWith(own) || url.startsWith(libraries));
  const result = await fuzz({
    ...job,
    target,
    coverage,
    current,
    found: (found) => say({ kind: 'found', ...found }),
  });
  coverage.close();
  say({ kind: 'done', ...result });
} else {
  for (const input of job.replay) {
    current.begin(input);
    const fault = await judge(target, input);
    current.end();
    if (fault !== undefined) say({ kind: 'found', fault, input });
  }
  say({ kind: 'done', inputs: job.replay.length, kept: 0, functions: 0, growthBytes: 0 });
}
process.exit(0);
