import type { EmptyObject, Int64, KubernetesObject, Quantity } from '../kubernetes/meta.ts';
import type { MigrationExperimental } from './migration-state.ts';

/** Settings of the migrations of some guests. */
export interface MigrationPolicy extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'MigrationPolicy';
  /** Which guests, and the settings. */
  readonly spec: MigrationPolicySpec;
  /**
   * Nothing yet.
   * @nullable
   */
  readonly status?: EmptyObject;
}

/** Which guests, and the settings that differ from the cluster's. */
export interface MigrationPolicySpec {
  /** Slows a guest down when it changes memory faster than it can be moved. */
  readonly allowAutoConverge?: boolean;
  /** Lets guests run on the target before all memory is there. */
  readonly allowPostCopy?: boolean;
  /** Lets a migration that does not end pause its guest. */
  readonly allowWorkloadDisruption?: boolean;
  /** Bytes a second that a migration may use; 0 is no limit. */
  readonly bandwidthPerMigration?: Quantity;
  /** Seconds for each GiB of memory and disk before a migration is forced or aborted. */
  readonly completionTimeoutPerGiB?: Int64;
  /** Settings that may still change. */
  readonly experimental?: MigrationExperimental;
  /**
   * Milliseconds that a guest may stand still at the end.
   * @maximum 2000000
   * @minimum 1
   */
  readonly maxDowntimeMs?: Int64;
  /** The guests; the policy with most matching labels applies. */
  readonly selectors: MigrationPolicySelectors;
}

/** Guests that a policy applies to; all labels must match. */
export interface MigrationPolicySelectors {
  /** Labels of their namespaces. */
  readonly namespaceSelector?: Readonly<Record<string, string>>;
  /** Labels of the instances. */
  readonly virtualMachineInstanceSelector?: Readonly<Record<string, string>>;
}
