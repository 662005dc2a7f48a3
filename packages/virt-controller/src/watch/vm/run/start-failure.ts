/**
 * Start failures and the wait that follows. Only a VMI that never reached Running counts: a guest that
 * crashes after it ran is restarted at once.
 */
import type { VirtualMachine, VirtualMachineInstance, VMStartFailure } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { isFinal, reachedRunning } from '../../vmi-phase.ts';
import { runStrategyOf } from './run-strategy.ts';

const BASE_SECONDS = 10;
const MAX_SECONDS = 300;

/** Seconds to wait after the n-th failure in a row: 10·n², plus up to half of that, at most 300. */
export function startBackoffSeconds(failCount: number, random: () => number): number {
  const delay = BASE_SECONDS * failCount ** 2;
  return Math.min(MAX_SECONDS, delay + Math.floor(random() * (delay / 2)));
}

/** Milliseconds until the next start may be tried; 0 when it may be tried now. */
export function backoffLeftMs(vm: VirtualMachine, nowMs: number): number {
  const retryAfter = vm.status?.startFailure?.retryAfterTimestamp;
  return retryAfter === undefined ? 0 : Math.max(0, Date.parse(retryAfter) - nowMs);
}

const COUNTS_FAILURES: ReadonlySet<string> = new Set(['Always', 'RerunOnFailure', 'Once']);

/** `status.startFailure` after this observation. */
export function nextStartFailure(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  nowMs: number,
  random: () => number,
): VMStartFailure | undefined {
  const old = vm.status?.startFailure ?? undefined;
  if (!COUNTS_FAILURES.has(runStrategyOf(vm))) return undefined;
  if (vmi === undefined) return old;
  if (reachedRunning(vmi)) return undefined;
  if (!isFinal(vmi) || old?.lastFailedVMIUID === vmi.metadata?.uid) return old;
  const consecutiveFailCount = (old?.consecutiveFailCount ?? 0) + 1;
  const delayMs = startBackoffSeconds(consecutiveFailCount, random) * 1000;
  return {
    consecutiveFailCount,
    lastFailedVMIUID: vmi.metadata?.uid,
    retryAfterTimestamp: rfc3339(nowMs + delayMs),
  };
}
