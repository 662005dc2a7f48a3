/** Questions about a VMI that several controllers ask. */
import { isFinalVmiPhase, type VirtualMachineInstance } from '@podvisor/api';
import { hasCondition } from './conditions.ts';

type Vmi = VirtualMachineInstance;

/** Succeeded or Failed: the guest will not run again. */
export function isFinal(vmi: Vmi): boolean {
  return isFinalVmiPhase(vmi.status?.phase);
}

/** No launcher Pod yet. */
export function isUnprocessed(vmi: Vmi): boolean {
  const phase = vmi.status?.phase ?? '';
  return phase === '' || phase === 'Pending';
}

/** True when the guest ran at some time, however it ended. */
export function reachedRunning(vmi: Vmi): boolean {
  return vmi.status?.phaseTransitionTimestamps?.some((t) => t.phase === 'Running') ?? false;
}

export function isDeleting(vmi: Vmi): boolean {
  return vmi.metadata?.deletionTimestamp !== undefined;
}

export function isPaused(vmi: Vmi): boolean {
  return hasCondition(vmi.status?.conditions, 'Paused', 'True');
}

/** A migration has started and not ended. */
export function isMigrating(vmi: Vmi): boolean {
  const state = vmi.status?.migrationState;
  return (
    state?.startTimestamp !== undefined &&
    state.startTimestamp !== null &&
    (state.endTimestamp === undefined || state.endTimestamp === null)
  );
}
