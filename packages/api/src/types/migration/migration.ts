import type { KubernetesObject } from '../kubernetes/meta.ts';
import type { MigrationState } from './migration-state.ts';
import type { PhaseTransitionTimestamp, VMICondition } from '../vmi/vmi-status.ts';

/** Moves a running guest to another node; deleting it aborts the migration. */
export interface VirtualMachineInstanceMigration extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstanceMigration';
  /** Which guest to move, and where. */
  readonly spec: VMIMigrationSpec;
  /** How far the migration is. */
  readonly status?: VMIMigrationStatus;
}

/** Which guest to move, and where. */
export interface VMIMigrationSpec {
  /** Labels that the new node must have, beside those of the guest. */
  readonly addedNodeSelector?: Readonly<Record<string, string>>;
  /**
   * Who goes first: system-critical, user-triggered or system-maintenance; set by virt-controller only.
   */
  readonly priority?: string;
  /** Receives a guest from another cluster. */
  readonly receive?: VMIMigrationReceive;
  /** Sends the guest to another cluster. */
  readonly sendTo?: VMIMigrationSendTo;
  /** Name of the instance to move. */
  readonly vmiName?: string;
}

/** Receives a guest from another cluster. */
export interface VMIMigrationReceive {
  /** Name that both clusters know the migration by. */
  readonly migrationID: string;
}

/** Sends a guest to another cluster. */
export interface VMIMigrationSendTo {
  /** Address of the other cluster's synchronization controller. */
  readonly connectURL: string;
  /** Name that both clusters know the migration by. */
  readonly migrationID: string;
}

/** How far a migration is. */
export interface VMIMigrationStatus {
  /** Abort requests, quota refusals and other conditions. */
  readonly conditions?: readonly VMICondition[];
  /** The migration as the guest knew it, kept after its end. */
  readonly migrationState?: MigrationState;
  /**
   * Pending, Scheduling, Scheduled, PreparingTarget, TargetReady, Running, Succeeded, Failed,
   * WaitingForSync or Synchronizing.
   */
  readonly phase?: string;
  /**
   * When each phase was first reached.
   * @listType atomic
   */
  readonly phaseTransitionTimestamps?: readonly PhaseTransitionTimestamp[];
  /**
   * Addresses at which another cluster finds this one.
   * @listType atomic
   */
  readonly synchronizationAddresses?: readonly string[];
}
