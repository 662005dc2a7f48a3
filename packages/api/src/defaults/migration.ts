/** The mutating webhook of migrations: found by its VMI's name, and kept until it is settled. */
import { finalizers, labels } from '../names.ts';
import type { VirtualMachineInstanceMigration } from '../types/index.ts';

export function defaultMigration(
  migration: VirtualMachineInstanceMigration,
): VirtualMachineInstanceMigration {
  const { metadata, spec } = migration;
  return {
    ...migration,
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, [labels.vmiName]: spec.vmiName ?? '' },
      finalizers: [...(metadata?.finalizers ?? []), finalizers.migration],
    },
  };
}
