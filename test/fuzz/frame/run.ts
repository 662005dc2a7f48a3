/** Runs the fuzzer of one target in a thread of its own and watches it: hangs, crashes and lost memory are found too. */
import { Worker } from 'node:worker_threads';
import { CurrentInput } from './current-input.ts';
import type { Fault } from './judge.ts';
import type { Found, LoopResult } from './loop.ts';
import { minimise } from './minimise.ts';
import { standStill } from './stand-still.ts';

const LOOK_MS = 1_000;
/** Old generation of the thread: a parser that needs more for one input has no limit of its own. */
const MAX_HEAP_MIB = 512;
/** Each costs a thread and the time until it is cut off. */
const TRIES_WHEN_KILLED = 24;

export interface RunOptions {
  readonly target: string;
  readonly seed: number;
  readonly inputs: number;
  readonly seconds: number;
  /** These inputs instead of new ones. */
  readonly replay?: readonly Uint8Array[];
  /** Ends it before its time: what was fed until then is told. */
  readonly signal?: AbortSignal;
}

export interface WorkerJob extends Omit<RunOptions, 'signal'> {
  readonly current: SharedArrayBuffer;
}

export type WorkerMessage = ({ readonly kind: 'found' } & Found) | ({ readonly kind: 'done' } & LoopResult);

export interface RunResult extends LoopResult {
  readonly found: readonly Found[];
  readonly tookMs: number;
}

export async function runTarget(options: RunOptions): Promise<RunResult> {
  const startedAt = performance.now();
  const { result, found, death } = await runWorker(options);
  const all = [...found];
  if (death !== undefined) {
    const { input } = death;
    const isAlone = options.replay?.length === 1;
    const smaller =
      isAlone || input.length === 0
        ? input
        : await minimise(
            input,
            async (one) => (await replay(options, one)).death !== undefined,
            TRIES_WHEN_KILLED,
          );
    all.push({ fault: death.fault, input: smaller });
  }
  return { ...result, found: all, tookMs: performance.now() - startedAt };
}

function replay(options: RunOptions, input: Uint8Array): ReturnType<typeof runWorker> {
  return runWorker({ ...options, replay: [input] });
}

interface WorkerEnd {
  readonly result: LoopResult;
  readonly found: readonly Found[];
  /** The thread did not come to its end by itself. */
  readonly death?: Found;
}

function runWorker({ signal, ...options }: RunOptions): Promise<WorkerEnd> {
  const current = new CurrentInput();
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { ...options, current: current.memory } satisfies WorkerJob,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    // What a parser says about a bad input is of no interest here.
    stdout: true,
    stderr: true,
  });
  const found: Found[] = [];
  let result: LoopResult | undefined;
  return new Promise((resolve) => {
    const end = (fault?: Fault): void => {
      clearInterval(timer);
      const inputs = result ?? { inputs: current.count, kept: 0, functions: 0, growthBytes: 0 };
      const death = fault === undefined ? undefined : { fault, input: current.input ?? new Uint8Array() };
      resolve({ result: inputs, found, ...(death === undefined ? {} : { death }) });
    };
    const look = standStill();
    const timer = setInterval(() => {
      const { count, isFeeding } = current;
      const hang = look({ count, isFeeding, cpuMs: ownCpuMs(), atMs: performance.now() });
      if (hang === undefined) return;
      void worker.terminate();
      end({ kind: 'killed', words: hang });
    }, LOOK_MS);
    signal?.addEventListener('abort', () => {
      void worker.terminate();
      end();
    });
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'found') found.push(message);
      else result = message;
    });
    worker.on('error', (error) => end({ kind: 'killed', words: String(error), stack: stackOf(error) }));
    worker.on('exit', () =>
      end(result === undefined ? { kind: 'killed', words: 'the thread ended' } : undefined),
    );
  });
}

/** Of the whole process: a thread that is in a long call of the engine, or about to end, cannot be asked for its own. */
function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
