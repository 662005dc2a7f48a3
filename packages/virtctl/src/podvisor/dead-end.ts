/** When `up` stops waiting for a VM: at a failure that does not pass by waiting, or that has not passed. Pure. */
import type { Diagnosis } from '../why/diagnose.ts';

/** How long a failure that may pass is waited for. */
const LASTING_MS = 10_000;

/** A failure that may pass, since when it was seen in every look. */
export interface SeenTrouble {
  readonly id: string;
  readonly sinceMs: number;
}

export type Verdict =
  | { readonly kind: 'goes on'; readonly seen?: undefined }
  | { readonly kind: 'look again'; readonly afterMs: number; readonly seen: SeenTrouble }
  | { readonly kind: 'dead end'; readonly diagnosis: Diagnosis; readonly seen?: undefined };

/** `before`: the answer to the last look. */
export function judgeTrouble(
  diagnosis: Diagnosis | undefined,
  before: SeenTrouble | undefined,
  nowMs: number,
): Verdict {
  if (diagnosis?.deadEnd === undefined) return { kind: 'goes on' };
  if (diagnosis.deadEnd === 'at once') return { kind: 'dead end', diagnosis };
  const { id } = diagnosis;
  const seen = before?.id === id ? before : { id, sinceMs: nowMs };
  const leftMs = seen.sinceMs + LASTING_MS - nowMs;
  return leftMs <= 0 ? { kind: 'dead end', diagnosis } : { kind: 'look again', afterMs: leftMs, seen };
}
