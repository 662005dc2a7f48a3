/** What one input did to a parser. */
import type { FuzzTarget } from './target.ts';

/** Of the thread's own CPU: a machine that is busy elsewhere makes no parser slow. */
const MAX_CPU_MS = 1_000;

export interface Fault {
  readonly kind: 'error' | 'slow' | 'prototype' | 'killed' | 'growth';
  /** Faults with the same words are the same fault. */
  readonly words: string;
  readonly stack?: string;
}

/** Feeds one input; undefined when the parser took it, or refused it in its own words, in time. */
export async function judge(target: FuzzTarget, input: Uint8Array): Promise<Fault | undefined> {
  const before = process.threadCpuUsage();
  let fault: Fault | undefined;
  try {
    // A copy: parsers may keep views, and the input is still needed.
    const result = target.feed(Uint8Array.from(input));
    if (result instanceof Promise) await result;
  } catch (error) {
    if (!target.refuses(error)) fault = faultOf(error);
  }
  if (fault !== undefined) return fault;
  for (const key in Object.prototype)
    if (Reflect.deleteProperty(Object.prototype, key))
      return { kind: 'prototype', words: `every object got a member "${key}"` };
  return cpuMsSince(before) > MAX_CPU_MS ? confirmSlow(target, input) : undefined;
}

/** CPU time of this thread since `before`. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** A collection of garbage, or code that is compiled just then, is slow once; a parser is slow every time. */
async function confirmSlow(target: FuzzTarget, input: Uint8Array): Promise<Fault | undefined> {
  for (let i = 0; i < 2; i += 1) {
    const before = process.threadCpuUsage();
    try {
      await target.feed(Uint8Array.from(input));
    } catch {
      // Only the time counts here.
    }
    if (cpuMsSince(before) <= MAX_CPU_MS) return undefined;
  }
  return { kind: 'slow', words: `more than ${MAX_CPU_MS} ms of CPU` };
}

function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { kind: 'error', words: `threw ${typeof error}` };
  const words = `${error.name}: ${error.message}`.slice(0, 200);
  return { kind: 'error', words, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}

/** Two faults of the same kind at the same place, whatever values their words name. */
export function isSameFault(a: Fault, b: Fault): boolean {
  return a.kind === b.kind && place(a) === place(b);
}

function place({ words, stack }: Fault): string {
  const frame = stack?.split('\n').find((line) => /^\s+at /.test(line));
  return frame ?? words;
}
