/**
 * Whether the lease of a runner is over, as one sees it who only reads. Pure. Counted is the time in which the same
 * bytes were read, by the reader's own monotonic clock from its own first reading: a runner's clock, and what a
 * reader heard from others, do not count. A reading that failed says nothing, and does not end the count: bytes that
 * are the same before and after it were not written in between (every renewal has a number of its own).
 *
 * A runner whose node is heard of may go on without its lease, and renew it later. So the lease is over only while
 * the node has been silent for long enough, too: both are seen at once.
 */
import type { LeaseReport } from '@podvisor/api';
import { nodeLossBounds } from '@podvisor/api';
import type { RenewalReading } from '@podvisor/storage';

export interface Runner {
  readonly uid: string;
  readonly pod: string;
}

export interface LeaseWatch {
  readonly runner: Runner;
  /** How long the runner's node had been silent when the watching began, at least. It is silent as long as anybody asks. */
  readonly silentMs: number;
  readonly begunMs?: number;
  readonly bytes?: string;
  readonly sinceMs?: number;
}

export type LeaseStep =
  | { readonly kind: 'watch'; readonly watch: LeaseWatch }
  /** Nothing was renewed for the whole time. What is left to ask is whether the disk is locked. */
  | { readonly kind: 'silent'; readonly watch: LeaseWatch; readonly report: LeaseReport }
  | { readonly kind: 'end'; readonly report: LeaseReport };

/** How long a file that never was a lease, or is torn, is waited for to become one. */
const FOREIGN_AFTER_MS = nodeLossBounds.leaseSeconds.max * 1000;

export function observeLease(
  begun: LeaseWatch,
  { bytes, renewal }: RenewalReading,
  nowMs: number,
): LeaseStep {
  const watch = { ...begun, begunMs: begun.begunMs ?? nowMs };
  const next = watch.bytes === bytes ? watch : { ...watch, bytes, sinceMs: nowMs };
  const sameForMs = nowMs - (next.sinceMs ?? nowMs);
  const { runner } = watch;
  if (renewal === undefined) {
    if (sameForMs < FOREIGN_AFTER_MS) return { kind: 'watch', watch: next };
    return end(
      'foreign',
      bytes === '' ? 'there is no lease beside the disk' : 'the lease beside the disk is torn',
    );
  }
  const { holder, leaseMs, silenceMs, epoch, released } = renewal;
  const facts = { epoch, leaseMs, silenceMs };
  if (holder.uid !== runner.uid || holder.pod !== runner.pod)
    return end('foreign', `the lease beside the disk is of Pod ${holder.pod} on node ${holder.node}`, facts);
  if (released === true) return end('released', 'the guest had ended and given its lease back', facts);
  const silentForMs = watch.silentMs + nowMs - watch.begunMs;
  if (sameForMs < leaseMs || silentForMs < silenceMs) return { kind: 'watch', watch: next };
  const message = `not renewed for ${Math.floor(sameForMs / 1000)} s (epoch ${epoch})`;
  return { kind: 'silent', watch: next, report: { verdict: 'expired', message, ...facts } };
}

function end(verdict: LeaseReport['verdict'], message: string, facts: Partial<LeaseReport> = {}): LeaseStep {
  return { kind: 'end', report: { ...facts, verdict, message } };
}
