/** Machines of a pool that never come up are made anew. Pure. */
import { goDurationMs } from '@podvisor/base';
import type { VirtualMachine, VirtualMachinePool } from '@podvisor/api';
import { findCondition } from '../conditions.ts';

const DEFAULT_THRESHOLD = 3;
const DEFAULT_MINIMUM_MS = 5 * 60_000;

export interface Healing {
  readonly broken: readonly VirtualMachine[];
  /** When a machine that fails now will have failed for long enough. */
  readonly recheckMs?: number;
}

/** Machines that failed to start often enough and for long enough. None without `spec.autohealing`. */
export function autohealing(
  { spec }: VirtualMachinePool,
  active: readonly VirtualMachine[],
  nowMs: number,
): Healing {
  if (spec.autohealing === undefined) return { broken: [] };
  const threshold = spec.autohealing.startUpFailureThreshold ?? DEFAULT_THRESHOLD;
  const minimumMs = goDurationMs(spec.autohealing.minFailingToStartDuration) ?? DEFAULT_MINIMUM_MS;
  const failing = active
    .filter(({ status }) => (status?.startFailure?.consecutiveFailCount ?? 0) >= threshold)
    .map((vm) => ({ vm, leftMs: failingSinceMs(vm, nowMs) + minimumMs - nowMs }));
  const waiting = failing.map(({ leftMs }) => leftMs).filter((leftMs) => leftMs > 0);
  return {
    broken: failing.filter(({ leftMs }) => leftMs <= 0).map(({ vm }) => vm),
    ...(waiting.length > 0 && { recheckMs: Math.min(...waiting) }),
  };
}

/** Not ready since then. */
function failingSinceMs({ metadata, status }: VirtualMachine, nowMs: number): number {
  const since = findCondition(status?.conditions, 'Ready')?.lastTransitionTime ?? metadata?.creationTimestamp;
  const parsed = Date.parse(typeof since === 'string' ? since : '');
  return Number.isNaN(parsed) ? nowMs : parsed;
}
