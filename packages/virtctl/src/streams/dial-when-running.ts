/** Opens a stream to a guest that may still be on its way up. */
import { StatusError } from '@podvisor/base';
import type { WebSocket } from 'ws';

export interface DialWait {
  readonly timeoutMs: number;
  /** Told once, with the first refusal. */
  readonly waiting: (error: unknown) => void;
}

const RETRY_MS = 1000;

/**
 * Tries until the guest is there or the time is over; the last refusal is then the error. Only "not yet"
 * (409 Conflict: the VMI exists and does not run) is worth waiting for, everything else is final.
 */
export async function dialWhenRunning(
  dial: (signal: AbortSignal) => Promise<WebSocket>,
  { timeoutMs, waiting }: DialWait,
): Promise<WebSocket> {
  const over = AbortSignal.timeout(timeoutMs);
  let told = false;
  for (;;) {
    try {
      return await dial(over);
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 409 || over.aborted) throw error;
      if (!told) waiting(error);
      told = true;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
