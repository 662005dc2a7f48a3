/** What the Pod that watches the lease of a lost guest says at its end, as its termination message (JSON). */
export interface LeaseReport {
  /**
   * `expired`: not renewed for its whole length by the watcher's own clock, and no lock is on the disk. `released`: the
   * guest has ended and its launcher said so. `foreign`: the lease there is not of the Pod that was asked about.
   */
  readonly verdict: 'expired' | 'released' | 'foreign';
  readonly message: string;
  readonly epoch?: number;
  readonly leaseMs?: number;
  readonly silenceMs?: number;
}

/** Undefined: not a report. */
export function parseLeaseReport(text: string): LeaseReport | undefined {
  try {
    const report = JSON.parse(text) as Partial<LeaseReport>;
    const isKnown = ['expired', 'released', 'foreign'].includes(report.verdict ?? '');
    return isKnown && typeof report.message === 'string' ? (report as LeaseReport) : undefined;
  } catch {
    return undefined;
  }
}
