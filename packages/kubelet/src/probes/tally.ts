/** Counts the results of one probe: when does it change its verdict. Pure. */
import type { PodProbe } from '@podvisor/api';

export interface Tally {
  readonly verdict: boolean;
  /** Equal results in a row. */
  readonly streak: number;
  readonly last: boolean | undefined;
}

export const DEFAULTS = { periodSeconds: 10, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3 };

/** The verdict follows after enough equal results in a row. */
export function count(tally: Tally, ok: boolean, probe: PodProbe): Tally {
  const streak = tally.last === ok ? tally.streak + 1 : 1;
  const threshold = ok
    ? (probe.successThreshold ?? DEFAULTS.successThreshold)
    : (probe.failureThreshold ?? DEFAULTS.failureThreshold);
  return { last: ok, streak, verdict: streak >= threshold ? ok : tally.verdict };
}
