/** Has a thread unpack a memory. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SplitLimits } from '@podvisor/storage';

export interface UnpackData {
  readonly statePath: string;
  /** Base64; absent: the state is not encrypted. */
  readonly key?: string | undefined;
  readonly directory: string;
  readonly limits: SplitLimits;
}

export type UnpackResult =
  | { readonly digest: string }
  /** `isFinal`: the same state will never be unpacked. */
  | { readonly error: string; readonly isFinal: boolean };

/** Beside the program when it is bundled, beside this file when it is not. */
const MAIN = import.meta.url.endsWith('.ts') ? './unpack-main.ts' : './memory-unpacker.mjs';
/** A claim whose storage does not answer must not hold up a guest that can be loaded otherwise. */
const PATIENCE_MS = 120_000;

export async function unpack(data: UnpackData): Promise<UnpackResult> {
  const worker = new Worker(new URL(MAIN, import.meta.url), {
    workerData: data,
    trackUnmanagedFds: false,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const [result] = (await Promise.race([
      once(worker, 'message', { signal }),
      once(worker, 'exit', { signal }).then(([code]) => [
        { error: `the thread ended with ${code}`, isFinal: false },
      ]),
    ])) as [UnpackResult];
    return result;
  } finally {
    // A thread that waits for storage ends when that answers.
    void worker.terminate();
  }
}
