/** Which claim counts when a migration of a guest whose firmware and TPM remember something comes to its end. Pure. */
import { stateClaimsEnd } from '../backend-storage/hand-over.ts';
import { recordOf } from './facts.ts';
import type { MigrationAction, MigrationObservation } from './plan.ts';

/** What firmware and TPM remember is where the guest is. */
export function endStateClaims(
  { migration, vmi, volumes }: MigrationObservation,
  isOver: boolean,
): readonly MigrationAction[] {
  const record = recordOf(migration, vmi) ?? migration.status?.migrationState;
  const end = stateClaimsEnd(migration, record, isOver, volumes);
  return end === undefined ? [] : [{ kind: 'endStateClaims', end }];
}
