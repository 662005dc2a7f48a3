/** Rules of backups and their trackers. What never changes is guarded by the CRD itself. */
import { deepEqual, goDurationProblem } from '@podvisor/base';
import { type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import type { VirtualMachineBackup } from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';
import { invalid } from '../rule.ts';

/** Whether a backup may be created: one at a time per source. */
export function validateBackupCreate(
  backup: VirtualMachineBackup,
  config: ClusterConfig,
  others: readonly VirtualMachineBackup[],
): Admission {
  if (!isGateEnabled(config, 'IncrementalBackup'))
    return refusal('IncrementalBackup feature gate not enabled', 400);
  const unreadable = goDurationProblem(backup.spec.ttlDuration);
  if (unreadable !== undefined) return refusal(unreadable, 400);
  const twin = others.find((other) => other.metadata?.name === backup.metadata?.name);
  if (twin)
    return admissionOf([
      invalid('metadata.name', `VirtualMachineBackup "${twin.metadata?.name}" already exists`),
    ]);
  const active = others.find((other) => deepEqual(other.spec.source, backup.spec.source) && !isDone(other));
  if (!active) return admissionOf([]);
  return admissionOf([
    invalid('spec.source', `VirtualMachineBackup "${active.metadata?.name}" in progress for source`),
  ]);
}

/** Whether a backup tracker may be created. */
export function validateBackupTrackerCreate(config: ClusterConfig): Admission {
  return isGateEnabled(config, 'IncrementalBackup')
    ? admissionOf([])
    : refusal('IncrementalBackup feature gate not enabled', 400);
}

function isDone({ status }: VirtualMachineBackup): boolean {
  return (status?.conditions ?? []).some(
    ({ status: state, type }) => state === 'True' && (type === 'Complete' || type === 'Failed'),
  );
}
