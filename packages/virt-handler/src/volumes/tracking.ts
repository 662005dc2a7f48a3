/** `status.changedBlockTracking` from what the node sees: whether all disks are tracked, how a backup goes. Pure. */
import {
  type BackupRuntimeStatus,
  type DomainBackup,
  type DomainState,
  isHotpluggable,
  trackableVolumes,
  tracksChanges,
  type VirtualMachineInstance,
  type VMIStatus,
} from '@podvisor/api';

/** virt-controller decides whether changes are tracked, and which backup counts; only then there is something to add. */
export function trackingStatus(
  vmi: VirtualMachineInstance,
  domain: DomainState,
): Pick<VMIStatus, 'changedBlockTracking'> {
  const old = vmi.status?.changedBlockTracking;
  if (old === undefined || !tracksChanges(vmi)) return {};
  const tracked = new Set(domain.trackedVolumes ?? []);
  // A disk that is just being plugged in does not hold up the backups of the others.
  const isComplete = trackableVolumes(vmi.spec).every(
    (volume) => tracked.has(volume.name) || isHotpluggable(volume),
  );
  const backupStatus = backupStatusOf(old.backupStatus, domain.backup);
  return {
    changedBlockTracking: {
      ...old,
      state: isComplete ? 'Enabled' : 'Initializing',
      ...(backupStatus === undefined ? {} : { backupStatus }),
    },
  };
}

function backupStatusOf(
  old: BackupRuntimeStatus | undefined,
  backup: DomainBackup | undefined,
): BackupRuntimeStatus | undefined {
  if (old === undefined || old === null || backup === undefined) return old;
  if (old.backupName !== backup.name || old.startTimestamp !== backup.startTimestamp) return old;
  const { checkpointName, endTimestamp, message } = backup;
  return {
    ...old,
    volumes: backup.volumes.map((volumeName) => ({ volumeName })),
    quiesceStatus: backup.quiesce,
    ...(checkpointName === undefined ? {} : { checkpointName }),
    ...(message === undefined ? {} : { backupMsg: message }),
    ...(endTimestamp === undefined ? {} : { completed: true, endTimestamp }),
    ...(backup.failed === true ? { failed: true } : {}),
  };
}
