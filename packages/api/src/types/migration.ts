import type { KubernetesObject } from './meta.ts';
import type { MigrationState } from './migration-state.ts';
import type { PhaseTransitionTimestamp, VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachineInstanceMigration extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstanceMigration';
  /** - */
  readonly spec: VMIMigrationSpec;
  /** - */
  readonly status?: VMIMigrationStatus;
}

/** - */
export interface VMIMigrationSpec {
  /** - */
  readonly addedNodeSelector?: Readonly<Record<string, string>>;
  /** - */
  readonly priority?: string;
  /** - */
  readonly receive?: VMIMigrationReceive;
  /** - */
  readonly sendTo?: VMIMigrationSendTo;
  /** - */
  readonly vmiName?: string;
}

/** - */
export interface VMIMigrationReceive {
  /** - */
  readonly migrationID: string;
}

/** - */
export interface VMIMigrationSendTo {
  /** - */
  readonly connectURL: string;
  /** - */
  readonly migrationID: string;
}

/** - */
export interface VMIMigrationStatus {
  /** - */
  readonly conditions?: readonly VMICondition[];
  /** - */
  readonly migrationState?: MigrationState;
  /** - */
  readonly phase?: string;
  /**
   * -
   * @listType atomic
   */
  readonly phaseTransitionTimestamps?: readonly PhaseTransitionTimestamp[];
  /**
   * -
   * @listType atomic
   */
  readonly synchronizationAddresses?: readonly string[];
}
