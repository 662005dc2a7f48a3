/** What a pass answers that is to be repeated after some time, although nothing changes. */
import type { ReconcileResult } from '@podvisor/kube';

/** Undefined: only an event brings the next pass. */
export function again(afterMs: number | undefined): ReconcileResult {
  return afterMs === undefined ? undefined : { requeueAfterMs: afterMs };
}
