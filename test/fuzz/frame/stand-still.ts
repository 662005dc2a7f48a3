/**
 * When a thread that is fed counts as hung: by the CPU time that it has used on one input, so that a machine that is
 * busy elsewhere makes nothing hang. One that waits uses none, and one inside a long call of the engine does not tell
 * what it uses: for them there is a limit of the clock, long enough for any machine.
 */

/** Three times five seconds: what takes more than one is fed twice more by who judges it (judge.ts), and told as slow. */
const CUT_OFF_CPU_MS = 15_000;
const CUT_OFF_MS = 60_000;

/** What is known of a thread at one moment. */
export interface ThreadSample {
  /** How many inputs have begun. */
  readonly count: number;
  /** The last of them has not ended. */
  readonly isFeeding: boolean;
  /** CPU that the thread has used in all, as far as it has told. */
  readonly cpuMs: number;
  readonly atMs: number;
}

/** Compares samples of a thread with the first one of the same input. Answers why it is to be cut off, or undefined. */
export function standStill(): (sample: ThreadSample) => string | undefined {
  let first: ThreadSample | undefined;
  return (sample) => {
    if (!sample.isFeeding || sample.count !== first?.count) {
      first = sample;
      return undefined;
    }
    if (sample.cpuMs - first.cpuMs > CUT_OFF_CPU_MS) return `no answer in ${CUT_OFF_CPU_MS} ms of CPU`;
    return sample.atMs - first.atMs > CUT_OFF_MS ? `no answer in ${CUT_OFF_MS} ms` : undefined;
  };
}
