import type { Clock } from './clock.ts';

/** Exponential backoff: first delay, factor 2, ceiling. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Delay before try number `failures + 1`; `failures` counts from 1. */
export function backoffMs(failures: number, options: BackoffOptions): number {
  return Math.min(options.maxMs, options.firstMs * 2 ** Math.max(0, failures - 1));
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
