/**
 * Something long of which nothing can be counted: a line with the time so far, every few seconds, so that nobody takes
 * a wait for a hang. Lines of their own, because others may be printed meanwhile; none without a terminal.
 */

const EVERY_MS = 10_000;

export interface StillOptions {
  readonly isTerminal: boolean;
  say(line: string): void;
}

/** Resolves or rejects as the work does. `what` is said as in `still building hello, 20 s`. */
export async function whileTelling<T>(what: string, work: Promise<T>, options?: StillOptions): Promise<T> {
  const { isTerminal, say } = options ?? {
    isTerminal: process.stdout.isTTY === true,
    say: (line: string) => console.log(line),
  };
  if (!isTerminal) return await work;
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += EVERY_MS / 1000;
    say(`  still ${what}, ${seconds} s`);
  }, EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
