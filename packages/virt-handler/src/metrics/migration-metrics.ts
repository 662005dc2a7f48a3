/** How a migration away from this node goes, as its launcher says. Pure. */
import { HANDLER_METRICS as M, type MigrationProgress, type VirtualMachineInstance } from '@podvisor/api';
import type { MetricDefinition } from '@podvisor/base';
import type { DomainSample } from './domain-metrics.ts';

const FIGURES: readonly (readonly [MetricDefinition, keyof MigrationProgress])[] = [
  [M.vmiMigrationDataBytesTotal, 'dataTotalBytes'],
  [M.vmiMigrationDataProcessedBytes, 'dataProcessedBytes'],
  [M.vmiMigrationDataRemainingBytes, 'dataRemainingBytes'],
  [M.vmiMigrationDirtyMemoryRateBytes, 'dirtyRateBytesPerSecond'],
  [M.vmiMigrationMemoryTransferRateBytes, 'bandwidthBytesPerSecond'],
];

export const MIGRATION_DEFINITIONS: readonly MetricDefinition[] = FIGURES.map(([definition]) => definition);

/** Whether its launcher has something to say: it is the source of a migration that runs. */
export function isMovingAway({ status }: VirtualMachineInstance, nodeName: string): boolean {
  const { migrationState } = status ?? {};
  return (
    migrationState?.sourceNode === nodeName &&
    migrationState.startTimestamp !== undefined &&
    migrationState.completed !== true
  );
}

/** `progress` is a launcher's word: what is no number is left out. */
export function migrationSamples(
  progress: Readonly<Record<string, unknown>>,
  labels: Readonly<Record<string, string>>,
): readonly DomainSample[] {
  return FIGURES.flatMap(([definition, field]): DomainSample[] => {
    const value = progress[field];
    return typeof value === 'number' && Number.isFinite(value) ? [[definition, { labels, value }]] : [];
  });
}
