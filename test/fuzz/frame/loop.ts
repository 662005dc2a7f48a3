/**
 * The fuzzer: changes inputs that are known to be interesting, feeds them, and keeps what reached new code. Faults
 * are made small and told once each.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Coverage } from './coverage.ts';
import type { CurrentInput } from './current-input.ts';
import { type Fault, isSameFault, judge } from './judge.ts';
import { minimise } from './minimise.ts';
import { mutate } from './mutate.ts';
import { Random } from './random.ts';
import { bytes, type FuzzTarget } from './target.ts';

const BATCH = 32;
const MAX_BYTES = 4 * 1024;
const LONG_BYTES = 64 * 1024;
const GROWTH_BYTES = 8 * 1024 * 1024;
/** Inputs before memory is looked at: by then caches are filled and code is compiled. */
const WARM_UP = 2_000;
const MAX_FAULTS = 10;

export interface Found {
  readonly fault: Fault;
  readonly input: Uint8Array;
}

export interface LoopOptions {
  readonly target: FuzzTarget;
  readonly seed: number;
  readonly inputs: number;
  readonly seconds: number;
  readonly coverage: Coverage;
  readonly current: CurrentInput;
  readonly found: (found: Found) => void;
}

export interface LoopResult {
  readonly inputs: number;
  /** Inputs that were kept because they reached something new. */
  readonly kept: number;
  readonly functions: number;
  readonly growthBytes: number;
}

export async function fuzz(options: LoopOptions): Promise<LoopResult> {
  const { target, coverage, current } = options;
  const random = new Random(options.seed);
  const kept: Uint8Array[] = [...target.seeds];
  const limits = {
    maxBytes: target.maxBytes ?? MAX_BYTES,
    longBytes: target.longBytes ?? LONG_BYTES,
    words: (target.words ?? []).map((word) => (typeof word === 'string' ? bytes(word) : word)),
  };
  const faults: Fault[] = [];
  const feed = async (input: Uint8Array): Promise<void> => {
    current.begin(input);
    const fault = await judge(target, input);
    current.end();
    if (fault === undefined || faults.some((known) => isSameFault(known, fault))) return;
    faults.push(fault);
    const same = async (candidate: Uint8Array): Promise<boolean> => {
      const other = await judge(target, candidate);
      return other !== undefined && isSameFault(other, fault);
    };
    options.found({ fault, input: await minimise(input, same, fault.kind === 'slow' ? 20 : undefined) });
  };
  const next = (): Uint8Array => {
    const made = target.generate !== undefined && random.once(3) ? target.generate(random) : undefined;
    if (made !== undefined && random.once(2)) return made;
    return mutate(made ?? random.pick(kept), random.pick(kept), random, limits);
  };
  const deadline = performance.now() + options.seconds * 1000;
  let fed = 0;
  let before: number | undefined;
  while (fed < options.inputs && performance.now() < deadline && faults.length < MAX_FAULTS) {
    const batch = Array.from({ length: Math.min(BATCH, options.inputs - fed) }, next);
    for (const input of batch) await feed(input);
    fed += batch.length;
    const { isNew, settle } = coverage.probe();
    if (isNew) {
      // Which of them it was shows when they are fed once more, one by one.
      for (const input of batch) {
        await feed(input);
        if (coverage.grew()) kept.push(input);
      }
      settle();
    }
    if (before === undefined && fed >= WARM_UP) before = await usedBytes();
  }
  const growthBytes = before === undefined ? 0 : (await usedBytes()) - before - keptBytes(kept);
  if (growthBytes > (target.growthBytes ?? GROWTH_BYTES) && faults.length === 0)
    options.found({
      fault: { kind: 'growth', words: `${growthBytes} bytes are still held after ${fed} inputs` },
      input: new Uint8Array(),
    });
  return { inputs: fed, kept: kept.length, functions: coverage.functions, growthBytes };
}

/** What is held after the collector ran; buffers are given back a turn later than their owners. */
async function usedBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function keptBytes(kept: readonly Uint8Array[]): number {
  return kept.reduce((sum, { length }) => sum + length + 256, 0);
}
