/** The validating webhooks of a migration. */
import { type ClusterConfig, isGateEnabled } from '../config/cluster-config.ts';
import { isFinalMigrationPhase, isFinalVmiPhase, labels, conditionReasons, vmiConditions } from '../names.ts';
import { sameSpec } from '../same-meaning.ts';
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '../types/index.ts';
import { type Admission, admissionOf, refusal } from './admission.ts';
import { type Cause, forbidden, invalid, notSupported, required, when } from './rule.ts';

export interface MigrationValidationContext {
  readonly config: ClusterConfig;
  /** The VMI that the migration names; undefined when it does not exist. */
  readonly vmi: VirtualMachineInstance | undefined;
  /** Migrations of the same VMI. */
  readonly migrations: readonly VirtualMachineInstanceMigration[];
  /** The request comes from virt-controller, which alone decides who goes first. */
  readonly isController: boolean;
}

/** Whether a migration may be created. */
export function validateMigrationCreate(
  migration: VirtualMachineInstanceMigration,
  context: MigrationValidationContext,
): Admission {
  const causes = specCauses(migration, context);
  if (causes.length > 0) return admissionOf(causes);
  const problem = vmiProblem(migration, context);
  if (problem !== undefined) return refusal(problem, 400);
  return admissionOf(decentralizedCauses(migration, context));
}

/** Whether a migration may be changed: never its spec, nor the label by which it is found while it is active. */
export function validateMigrationUpdate(
  migration: VirtualMachineInstanceMigration,
  old: VirtualMachineInstanceMigration,
): Admission {
  if (!sameSpec('VirtualMachineInstanceMigration', migration.spec, old.spec))
    return admissionOf([notSupported('', "update of Migration object's spec is restricted")]);
  const before = old.metadata?.labels?.[labels.vmiName];
  const after = migration.metadata?.labels?.[labels.vmiName];
  if (isFinalMigrationPhase(migration.status?.phase) || before === undefined) return admissionOf([]);
  const verb = migration.metadata?.labels === undefined ? 'removed from' : 'modified on';
  return admissionOf(
    when(after !== before, () => notSupported('', `selector label can't be ${verb} an in-flight migration`)),
  );
}

/** The first problem of the spec alone. */
function specCauses(
  { spec }: VirtualMachineInstanceMigration,
  { isController }: MigrationValidationContext,
): readonly Cause[] {
  if (!spec.vmiName) return [required('spec.vmiName', 'vmiName is missing')];
  return when(spec.priority !== undefined && !isController, () =>
    forbidden(
      'spec.migrationPriority',
      'Migration priority queue, only virt-controller is allowed to set priority field',
    ),
  );
}

function decentralizedCauses(
  { spec }: VirtualMachineInstanceMigration,
  { config }: MigrationValidationContext,
): readonly Cause[] {
  const { receive, sendTo } = spec;
  if (!sendTo && !receive) return [];
  if (!isGateEnabled(config, 'DecentralizedLiveMigration'))
    return [notSupported('', 'DecentralizedLiveMigration feature gate is not enabled in kubevirt resource')];
  return when(sendTo && receive && sendTo.migrationID !== receive.migrationID, () =>
    invalid(
      '',
      `sendTo migrationID ${sendTo?.migrationID} does not match receive migrationID ${receive?.migrationID}`,
    ),
  );
}

function vmiProblem(
  migration: VirtualMachineInstanceMigration,
  { migrations, vmi }: MigrationValidationContext,
): string | undefined {
  const name = `${migration.metadata?.namespace ?? ''}/${migration.spec.vmiName ?? ''}`;
  if (!vmi) return `the VMI ${JSON.stringify(name)} does not exist`;
  if (isFinalVmiPhase(vmi.status?.phase)) return 'Cannot migrate VMI in finalized state.';
  // A decentralized migration takes the disks along, so disks that cannot be shared do not hold it up.
  const isDecentralized = migration.spec.sendTo !== undefined || migration.spec.receive !== undefined;
  const blocked = vmi.status?.conditions?.find(
    ({ reason, status, type }) =>
      type === vmiConditions.liveMigratable &&
      status === 'False' &&
      !(isDecentralized && reason === conditionReasons.disksNotLiveMigratable),
  );
  if (blocked)
    return `Cannot migrate VMI, Reason: ${blocked.reason ?? ''}, Message: ${blocked.message ?? ''}`;
  const active = migrations.find((other) => !isFinalMigrationPhase(other.status?.phase));
  if (!active) return undefined;
  return `in-flight migration detected. Active migration job (${active.metadata?.uid ?? ''}) is currently already in progress for VMI ${active.spec.vmiName ?? ''}.`;
}
