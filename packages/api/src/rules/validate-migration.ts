/** The validating webhooks of a migration. */
import { deepEqual } from '@podvisor/base';
import { type ClusterConfig, isGateEnabled } from '../config/cluster-config.ts';
import { isFinalMigrationPhase, isFinalVmiPhase, labels, vmiConditions } from '../names.ts';
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
  return problem === undefined ? admissionOf([]) : refusal(problem, 400);
}

/** Whether a migration may be changed: never its spec, nor the label by which it is found while it is active. */
export function validateMigrationUpdate(
  migration: VirtualMachineInstanceMigration,
  old: VirtualMachineInstanceMigration,
): Admission {
  if (!deepEqual(migration.spec, old.spec))
    return admissionOf([notSupported('', "update of Migration object's spec is restricted")]);
  const before = old.metadata?.labels?.[labels.vmiName];
  const after = migration.metadata?.labels?.[labels.vmiName];
  if (isFinalMigrationPhase(migration.status?.phase) || before === undefined) return admissionOf([]);
  const verb = migration.metadata?.labels === undefined ? 'removed from' : 'modified on';
  return admissionOf(
    when(after !== before, () => notSupported('', `selector label can't be ${verb} an in-flight migration`)),
  );
}

function specCauses(
  { spec }: VirtualMachineInstanceMigration,
  { config, isController }: MigrationValidationContext,
): readonly Cause[] {
  const isDecentralized = spec.sendTo !== undefined || spec.receive !== undefined;
  const hasTwoIds = spec.sendTo && spec.receive && spec.sendTo.migrationID !== spec.receive.migrationID;
  return [
    ...when(!spec.vmiName, () => required('spec.vmiName', 'vmiName is missing')),
    ...when(isDecentralized && !isGateEnabled(config, 'DecentralizedLiveMigration'), () =>
      notSupported('', 'DecentralizedLiveMigration feature gate is not enabled in kubevirt resource'),
    ),
    ...when(hasTwoIds, () => invalid('', 'sendTo migrationID and receive migrationID must be identical')),
    ...when(spec.priority !== undefined && !isController, () =>
      forbidden(
        'spec.migrationPriority',
        'Migration priority queue, only virt-controller is allowed to set priority field',
      ),
    ),
  ];
}

function vmiProblem(
  migration: VirtualMachineInstanceMigration,
  { migrations, vmi }: MigrationValidationContext,
): string | undefined {
  const name = `${migration.metadata?.namespace ?? ''}/${migration.spec.vmiName ?? ''}`;
  if (!vmi) return `the VMI ${JSON.stringify(name)} does not exist`;
  if (isFinalVmiPhase(vmi.status?.phase)) return 'Cannot migrate VMI in finalized state.';
  const blocked = vmi.status?.conditions?.find(
    (condition) => condition.type === vmiConditions.liveMigratable && condition.status === 'False',
  );
  // A decentralized migration may move what cannot move inside the cluster; its own checks come later.
  if (blocked && !migration.spec.sendTo && !migration.spec.receive)
    return `Cannot migrate VMI, Reason: ${blocked.reason ?? ''}, Message: ${blocked.message ?? ''}`;
  const active = migrations.find((other) => !isFinalMigrationPhase(other.status?.phase));
  if (!active) return undefined;
  return `in-flight migration detected. Active migration job (${active.metadata?.uid ?? ''}) is currently already in progress for VMI ${active.spec.vmiName ?? ''}.`;
}
