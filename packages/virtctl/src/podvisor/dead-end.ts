/** When `up` stops waiting for a VM: at a failure that does not pass by waiting, or that has not passed. Pure. */
import type { Diagnosis } from '../why/diagnose.ts';

/** How long a failure that may pass is waited for; and trouble that nobody has a name for. */
const LASTING_MS = 10_000;
const UNKNOWN_MS = 45_000;

/** Trouble that may pass, since when it was seen in every look. */
export interface SeenTrouble {
  /** Of the known failure; absent: none fits. */
  readonly id?: string;
  readonly sinceMs: number;
}

export type Verdict =
  | { readonly kind: 'goes on'; readonly seen?: undefined }
  | { readonly kind: 'look again'; readonly afterMs: number; readonly seen: SeenTrouble }
  | { readonly kind: 'dead end'; readonly seen?: undefined };

/** `isTroubled`: an object says that something is wrong. `before`: the answer to the last look. */
export function judgeTrouble(
  diagnosis: Diagnosis | undefined,
  isTroubled: boolean,
  before: SeenTrouble | undefined,
  nowMs: number,
): Verdict {
  if (diagnosis?.deadEnd === 'at once') return { kind: 'dead end' };
  const mayPass = diagnosis === undefined ? isTroubled : diagnosis.deadEnd === 'lasting';
  if (!mayPass) return { kind: 'goes on' };
  const id = diagnosis?.id;
  const seen =
    before !== undefined && before.id === id
      ? before
      : { ...(id === undefined ? {} : { id }), sinceMs: nowMs };
  const leftMs = seen.sinceMs + (diagnosis === undefined ? UNKNOWN_MS : LASTING_MS) - nowMs;
  return leftMs <= 0 ? { kind: 'dead end' } : { kind: 'look again', afterMs: leftMs, seen };
}
