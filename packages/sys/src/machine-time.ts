/**
 * A clock of the machine: never set, and the same for all processes, so that one may tell another until when something
 * holds. `Clock.elapsed` begins anew in each process.
 *
 * It is CLOCK_BOOTTIME, which counts the time in which the machine was suspended: what others have waited for in that
 * time is over when it wakes. CLOCK_MONOTONIC does not.
 */
import { readFileSync, statSync } from 'node:fs';

/**
 * Milliseconds since the machine was started, in steps of ten. Where something else is mounted in the place of
 * /proc/uptime (lxcfs tells the age of the container there): of CLOCK_MONOTONIC.
 */
export function machineTimeMs(read: UptimeReader = procUptime): number {
  const seconds = read();
  return seconds === undefined
    ? Number(process.hrtime.bigint() / 1_000_000n)
    : Math.round(Number.parseFloat(seconds) * 1000);
}

/** The text of /proc/uptime; undefined: it is not the kernel's. */
export type UptimeReader = () => string | undefined;

let isKernels: boolean | undefined;

function procUptime(): string | undefined {
  isKernels ??= statSync('/proc/uptime').dev === statSync('/proc/self').dev;
  return isKernels ? readFileSync('/proc/uptime', 'latin1') : undefined;
}
