/** Runs workers over a queue: the loop of every controller. */
import { isStatus, messageOf } from '@podvisor/base';
import { type Log, stderrLog } from '../log.ts';
import { splitKey } from '../client/resource.ts';
import type { WorkQueue } from './work-queue.ts';

/** What a reconcile may ask for: to be called again after some time although nothing changed. */
export type ReconcileResult = { readonly requeueAfterMs?: number } | void;

export interface ControllerOptions {
  /** Name in logs. */
  readonly name: string;
  readonly queue: WorkQueue;
  /** How many keys at once. Default 4. */
  readonly workers?: number;
  /** Makes the world match; throwing means "again, later". Never called twice at once for one key. */
  reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult>;
  readonly log?: Log;
  /** UID of the object of a key, for the log; undefined when nobody knows it. */
  uidOf?(key: string): string | undefined;
  /** Hears of every failed reconcile, also of conflicts. */
  readonly onFailure?: (key: string, error: unknown, failures: number) => void;
}

/** Runs until the signal ends it; running reconciles are awaited. */
export async function runController(options: ControllerOptions, signal: AbortSignal): Promise<void> {
  const { queue } = options;
  const close = (): void => queue.close();
  if (signal.aborted) close();
  signal.addEventListener('abort', close, { once: true });
  try {
    await Promise.all(Array.from({ length: options.workers ?? 4 }, () => work(options, signal)));
  } finally {
    signal.removeEventListener('abort', close);
  }
}

async function work(options: ControllerOptions, signal: AbortSignal): Promise<void> {
  const { queue } = options;
  for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
    const startedAt = performance.now();
    try {
      const result = await options.reconcile(key, signal);
      const ms = Math.round(performance.now() - startedAt);
      options.log?.debug?.({ ...fieldsOf(options, key), ms }, 'reconciled');
      queue.forget(key);
      if (result?.requeueAfterMs !== undefined) queue.addAfter(key, result.requeueAfterMs);
    } catch (error) {
      if (!signal.aborted) failed(options, key, error);
    } finally {
      queue.done(key);
    }
  }
}

/** By these a line is found that concerns an object. */
function fieldsOf({ name, uidOf }: ControllerOptions, key: string): object {
  return { controller: name, ...splitKey(key), uid: uidOf?.(key) };
}

function failed(options: ControllerOptions, key: string, error: unknown): void {
  const { queue, log = stderrLog, onFailure } = options;
  queue.addRateLimited(key);
  const failures = queue.failures(key);
  onFailure?.(key, error, failures);
  // A conflict means that our cache was behind: the event that brings it up to date is on its way.
  if (isStatus(error, 'Conflict') && failures < 5) return;
  const stack = error instanceof Error && !('code' in error) ? error.stack : undefined;
  log.warn(
    { ...fieldsOf(options, key), error: messageOf(error), failures, stack },
    'reconcile failed, trying again',
  );
}
