import { setTimeout as delay } from 'node:timers/promises';

/** Tries `look` until it gives a value other than `false`; throws with the last failure when time is up. For things that tell nobody. */
export async function eventually<T>(
  what: string,
  timeoutMs: number,
  look: () => Promise<T | false | undefined> | T | false | undefined,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await look();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`, { cause: last });
    await delay(100);
  }
}
