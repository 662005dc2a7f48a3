/** Settings of live migration with every default decided. Pure. */
import type { ClusterMigrationConfiguration } from '../types/index.ts';

/** Migration settings, all of them decided. */
export type MigrationDefaults = Required<Omit<ClusterMigrationConfiguration, 'network'>> &
  Pick<ClusterMigrationConfiguration, 'network'>;

export function migrationSettings(own: ClusterMigrationConfiguration): MigrationDefaults {
  const allowPostCopy = own.allowPostCopy ?? false;
  return {
    allowAutoConverge: own.allowAutoConverge ?? false,
    allowPostCopy,
    // Post-copy has always been allowed to disturb the workload, so it decides when nothing is said.
    allowWorkloadDisruption: own.allowWorkloadDisruption ?? allowPostCopy,
    bandwidthPerMigration: own.bandwidthPerMigration ?? '0',
    completionTimeoutPerGiB: own.completionTimeoutPerGiB ?? 150,
    disableTLS: own.disableTLS ?? false,
    matchSELinuxLevelOnMigration: own.matchSELinuxLevelOnMigration ?? true,
    maxDowntimeMs: own.maxDowntimeMs ?? 900,
    nodeDrainTaintKey: own.nodeDrainTaintKey ?? 'kubevirt.io/drain',
    parallelMigrationsPerCluster: own.parallelMigrationsPerCluster ?? 5,
    parallelOutboundMigrationsPerNode: own.parallelOutboundMigrationsPerNode ?? 2,
    progressTimeout: own.progressTimeout ?? 150,
    unsafeMigrationOverride: own.unsafeMigrationOverride ?? false,
    utilityVolumesTimeout: own.utilityVolumesTimeout ?? 150,
    ...(own.network !== undefined && { network: own.network }),
  };
}
