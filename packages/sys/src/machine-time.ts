/**
 * Milliseconds of CLOCK_MONOTONIC: never set, and the same for all processes of the machine, so that one may tell another
 * until when something holds. `Clock.elapsed` begins anew in each process.
 */
export function machineMonotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
