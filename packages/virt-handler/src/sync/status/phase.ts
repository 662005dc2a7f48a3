/** The VMI's phase from what the node sees. Pure. */
import type { DomainState, VirtualMachineInstance } from '@podvisor/api';
import { isAlive } from '../../launcher-client/domain-view.ts';
import { sourceJob } from '../../migration/source.ts';
import { mayHaveMoved } from '../../migration/status.ts';
import { LAUNCHER_WAIT_MS } from '../reconcile.ts';
import { gracePeriodMs, isFinal, podEnd, type Situation } from '../situation.ts';

export type Phase = 'Scheduled' | 'Running' | 'Succeeded' | 'Failed';

/** The new phase, or undefined to leave it as it is. */
export function nextPhase(vmi: VirtualMachineInstance, situation: Situation): Phase | undefined {
  if (isFinal(vmi) || isWithTarget(vmi, situation)) return undefined;
  const { view } = situation;
  switch (view.kind) {
    case 'present':
      return phaseOfDomain(vmi, view.domain);
    case 'absent':
      return phaseWithoutDomain(vmi, situation);
    case 'unknown': {
      // A launcher that never came is a failure to start; one that was there before is merely unknown.
      const isOverdue = situation.nowMs - situation.linkSinceMs >= LAUNCHER_WAIT_MS;
      return vmi.status?.phase === 'Scheduled' && isOverdue ? 'Failed' : undefined;
    }
  }
}

/** The guest may run, or does run, where a migration has taken it: that it is not here says nothing. */
function isWithTarget(vmi: VirtualMachineInstance, { view, mayRunOnTarget }: Situation): boolean {
  if (view.kind !== 'present') return view.kind === 'absent' && mayRunOnTarget;
  const job = sourceJob(view.domain, vmi.status?.migrationState?.migrationUid);
  return job !== undefined && !isAlive(view.domain) && (job.completed !== true || job.failed !== true);
}

function phaseWithoutDomain(vmi: VirtualMachineInstance, situation: Situation): Phase | undefined {
  const end = podEnd(situation.pod);
  const isDeleting = vmi.metadata?.deletionTimestamp !== undefined;
  if (situation.view.kind === 'absent' && situation.view.proof === 'pod-ended') {
    // It was handed over, or about to be, and the target has ended too: nobody shut this guest down.
    if (
      vmi.status?.migrationState?.sourceNode === vmi.status?.nodeName &&
      mayHaveMoved(vmi.status?.migrationState)
    )
      return 'Failed';
    // The launcher's exit code is its last word: 0 means that the guest's run ended as it should.
    if (vmi.status?.phase === 'Running' || isDeleting) return end?.exitCode === 0 ? 'Succeeded' : 'Failed';
    return 'Failed';
  }
  // The launcher says that there is no domain. Before the first start that is as it should be.
  if (vmi.status?.phase === 'Running') return 'Failed';
  return isDeleting ? 'Succeeded' : undefined;
}

function phaseOfDomain(vmi: VirtualMachineInstance, domain: DomainState): Phase | undefined {
  switch (domain.state) {
    case 'Running':
    case 'Blocked':
    case 'PMSuspended':
      return 'Running';
    case 'Paused':
      // QEMU is paused for a moment while it is started; only a start strategy makes that lasting.
      if (domain.reason === 'PostcopyFailed') return isBeingRecovered(vmi, domain) ? undefined : 'Failed';
      return domain.reason === 'StartingUp' ? undefined : 'Running';
    case 'Shutoff':
    case 'Crashed':
      return isHalfGuest(vmi, domain) ? 'Failed' : phaseAfterEnd(vmi, domain);
    case 'ShuttingDown':
    case 'NoState':
      return undefined;
  }
}

/** The other half of the guest may be reached again: the launcher has not said how its migration ended. */
function isBeingRecovered({ status }: VirtualMachineInstance, domain: DomainState): boolean {
  const job = sourceJob(domain, status?.migrationState?.migrationUid);
  return job !== undefined && job.completed !== true;
}

/** Its migration broke in post-copy, and what was left here was ended: nobody shut this guest down. */
function isHalfGuest({ status }: VirtualMachineInstance, domain: DomainState): boolean {
  const job = sourceJob(domain, status?.migrationState?.migrationUid);
  return job?.failed === true && job.mode === 'PostCopy';
}

function phaseAfterEnd(vmi: VirtualMachineInstance, domain: DomainState): Phase | undefined {
  switch (domain.reason) {
    case 'Crashed':
    case 'Panicked':
    case 'Failed':
      return 'Failed';
    case 'Destroyed':
      return wasKilledForTime(vmi) ? 'Failed' : 'Succeeded';
    case 'Shutdown':
    case 'Saved':
    case 'FromSnapshot':
      return 'Succeeded';
    default:
      // Migrated: the target reports. Unknown: only just defined.
      return domain.state === 'Crashed' ? 'Failed' : undefined;
  }
}

/** A guest that can hear ACPI and had time was killed because it did not react. */
function wasKilledForTime(vmi: VirtualMachineInstance): boolean {
  const hasAcpi = vmi.spec.domain.features?.acpi?.enabled ?? true;
  return hasAcpi && gracePeriodMs(vmi) > 0;
}
