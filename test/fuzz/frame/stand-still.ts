/**
 * When a thread that is fed counts as hung: by the CPU time that the process has used since the input began, so that a
 * machine that is busy elsewhere makes nothing hang. One that waits uses none: for it there is a limit of the clock,
 * long enough for any machine.
 */

/**
 * Two threads at a time share the process, so that each has had about fifteen seconds: three times five, because what
 * takes more than one is fed twice more by who judges it (judge.ts), and told as slow.
 */
const CUT_OFF_CPU_MS = 30_000;
const CUT_OFF_MS = 60_000;

/** What is known of a thread at one moment. */
export interface ThreadSample {
  /** How many inputs have begun. */
  readonly count: number;
  /** The last of them has not ended. */
  readonly isFeeding: boolean;
  /** CPU that the process has used in all. */
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
