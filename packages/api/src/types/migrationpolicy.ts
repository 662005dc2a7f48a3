import type { EmptyObject, Int64, KubernetesObject, Quantity } from './meta.ts';
import type { MigrationExperimental } from './migration-state.ts';

/** - */
export interface MigrationPolicy extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'MigrationPolicy';
  /** - */
  readonly spec: MigrationPolicySpec;
  /**
   * -
   * @nullable
   */
  readonly status?: EmptyObject;
}

/** - */
export interface MigrationPolicySpec {
  /** - */
  readonly allowAutoConverge?: boolean;
  /** - */
  readonly allowPostCopy?: boolean;
  /** - */
  readonly allowWorkloadDisruption?: boolean;
  /** - */
  readonly bandwidthPerMigration?: Quantity;
  /** - */
  readonly completionTimeoutPerGiB?: Int64;
  /** - */
  readonly experimental?: MigrationExperimental;
  /**
   * -
   * @maximum 2000000
   * @minimum 1
   */
  readonly maxDowntimeMs?: Int64;
  /** - */
  readonly selectors: MigrationPolicySelectors;
}

/** - */
export interface MigrationPolicySelectors {
  /** - */
  readonly namespaceSelector?: Readonly<Record<string, string>>;
  /** - */
  readonly virtualMachineInstanceSelector?: Readonly<Record<string, string>>;
}
