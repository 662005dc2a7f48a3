/**
 * The migration controller's decisions: from the queue to the hand-off, and from the nodes' records to the end. Pure.
 * The phases follow from facts (Pod, the VMI's record), never from which event came first.
 *
 * Unknown is not gone: what the cache does not show is missing only after a consistent read (`needsProof`).
 */
import { isFinalMigrationPhase } from '@podvisor/api';
import { isFinal as isFinalVmi } from '../vmi-phase.ts';
import { planBeforeHandOff } from './before-hand-off.ts';
import { planEnded } from './ended.ts';
import { recordOf } from './facts.ts';
import { planCompleted, planHandedOff } from './handed-off.ts';
import { type MigrationObservation, type MigrationPlan, PROOF, RECHECK_MS } from './plan.ts';
import { fail } from './planned-status.ts';

export function reconcileMigration(observed: MigrationObservation): MigrationPlan {
  const { migration, vmi, proven, cacheCaughtUp } = observed;
  if (!cacheCaughtUp && !proven) return { actions: [], requeueAfterMs: RECHECK_MS };
  if (isFinalMigrationPhase(migration.status?.phase)) return planEnded(observed);
  if (vmi === undefined) return proven ? fail(observed, 'the VMI does not exist') : PROOF;
  if (isFinalVmi(vmi)) return fail(observed, 'the VMI shut down during the migration');
  const record = recordOf(migration, vmi);
  if (record === undefined) return planBeforeHandOff(observed, vmi);
  if (record.completed === true) return planCompleted(observed, vmi);
  return planHandedOff(observed, vmi);
}
