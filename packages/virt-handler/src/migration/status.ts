/** What the source's virt-handler tells about a migration in the VMI. Pure. */
import {
  MIGRATION_REPORT_ANNOTATION,
  type MigrationState,
  type VirtualMachineInstance,
  type VMIStatus,
} from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import type { Situation } from '../sync/situation.ts';
import { sourceJob } from './source.ts';

/** A migration has begun, and nobody has said how it ended. */
export function isUnderWay(state: MigrationState | undefined): boolean {
  return state?.startTimestamp !== undefined && state.completed !== true;
}

/** A migration has begun and has not failed: its target may have the guest, until it takes the VMI over. */
export function mayHaveMoved(state: MigrationState | undefined): boolean {
  return state?.startTimestamp !== undefined && state.failed !== true;
}

/** `migrationState` as the launcher's word makes it; the same object when there is nothing new. */
export function migrationStatus(
  vmi: VirtualMachineInstance,
  status: VMIStatus,
  situation: Situation,
): VMIStatus {
  const state = status.migrationState;
  if (state === undefined || !isUnderWay(state)) return status;
  const domain = situation.view.kind === 'present' ? situation.view.domain : undefined;
  const job = domain === undefined ? undefined : sourceJob(domain, state.migrationUid);
  const end = rfc3339(situation.nowMs);
  if (job === undefined) {
    // The guest ended here without a word on the migration, and is not on the target.
    const isOver = status.phase === 'Failed' || status.phase === 'Succeeded';
    if (!isOver || isOver === (vmi.status?.phase === status.phase)) return status;
    const lost = { completed: true, failed: true, failureReason: 'the source ended during the migration' };
    return { ...status, migrationState: { ...state, ...lost, endTimestamp: end } };
  }
  const told: MigrationState = {
    ...state,
    mode: job.mode,
    ...(job.abortStatus === undefined ? {} : { abortStatus: job.abortStatus }),
    ...(job.completed === true ? { completed: true, endTimestamp: job.endTimestamp ?? end } : {}),
    ...(job.failed === true ? { failed: true, failureReason: job.failureReason ?? '' } : {}),
  };
  return { ...status, migrationState: told };
}

/** The VMI with the report of a migration that has just ended. */
export function withReport(
  vmi: VirtualMachineInstance,
  status: VMIStatus,
  situation: Situation,
): VirtualMachineInstance {
  const ends = isUnderWay(vmi.status?.migrationState) && status.migrationState?.completed === true;
  const domain = situation.view.kind === 'present' ? situation.view.domain : undefined;
  const report =
    domain === undefined ? undefined : sourceJob(domain, status.migrationState?.migrationUid)?.report;
  if (!ends || report === undefined) return vmi;
  const annotations = { ...vmi.metadata?.annotations, [MIGRATION_REPORT_ANNOTATION]: JSON.stringify(report) };
  return { ...vmi, metadata: { ...vmi.metadata, annotations } };
}
