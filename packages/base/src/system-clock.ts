import type { Clock } from './clock.ts';

/**
 * 24 days. A timer of Node that is asked for more rings at once: a period of 70 years, which a Pod or a Job may have,
 * would be none.
 */
const LONGEST_MS = 2 ** 31 - 1;

/** Real time. Its timers are unref'd: waiting alone never keeps a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, fn) {
    const dueMs = performance.now() + ms;
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      const isLast = !(leftMs > LONGEST_MS);
      const next = isLast ? fn : () => wait(dueMs - performance.now());
      timer = setTimeout(next, isLast ? leftMs : LONGEST_MS).unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
