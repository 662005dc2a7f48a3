/**
 * Whether the changed blocks of a VM's disks are tracked, for incremental backups. Tracking begins and ends with a
 * start of the guest: in between, the VM says that it waits for one. Pure.
 */
import {
  type ChangedBlockTrackingStatus,
  type ClusterConfig,
  isGateEnabled,
  matchesSelector,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';

export type TrackingState =
  | ''
  | 'PendingRestart'
  | 'Initializing'
  | 'Enabled'
  | 'Disabled'
  | 'IncrementalBackupFeatureGateDisabled';

/** What the cluster asks of a VM. */
export interface DesiredTracking {
  /** The gate IncrementalBackup is on. */
  readonly allowed: boolean;
  /** The VM or its namespace is selected. */
  readonly selected: boolean;
}

export function desiredTracking(
  vm: VirtualMachine,
  config: ClusterConfig,
  namespaceLabels: Readonly<Record<string, string>> | undefined,
): DesiredTracking {
  const selectors = config.configuration.changedBlockTrackingLabelSelectors;
  return {
    allowed: isGateEnabled(config, 'IncrementalBackup'),
    selected:
      matchesSelector(selectors?.virtualMachineLabelSelector, vm.metadata?.labels) ||
      matchesSelector(selectors?.namespaceLabelSelector, namespaceLabels),
  };
}

/** The status of a VMI that is made now; undefined: nothing is said. */
export function trackingAtStart(
  { status }: VirtualMachine,
  { allowed, selected }: DesiredTracking,
): ChangedBlockTrackingStatus | undefined {
  if (!allowed) return undefined;
  if (selected) return { state: 'Initializing' };
  return stateOf(status?.changedBlockTracking) === '' ? undefined : { state: 'Disabled' };
}

/** The VM's status after a pass. */
export function nextTracking(
  { status }: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  { allowed, selected }: DesiredTracking,
): ChangedBlockTrackingStatus | undefined {
  const old = status?.changedBlockTracking;
  const state = stateOf(old);
  const running = vmi === undefined ? undefined : stateOf(vmi.status?.changedBlockTracking);
  const isOff = running === undefined || running === '' || running === 'Disabled';
  const to = (next: TrackingState): ChangedBlockTrackingStatus => ({ ...old, state: next });
  if (!allowed) {
    if (state === 'IncrementalBackupFeatureGateDisabled') return old;
    if (isOff) return selected ? to('IncrementalBackupFeatureGateDisabled') : undefined;
    return state === 'Enabled' || state === 'Initializing' ? to('PendingRestart') : old;
  }
  if (!selected) {
    if (state === '' || state === 'Disabled') return old;
    return to(isOff ? 'Disabled' : 'PendingRestart');
  }
  if (running === undefined) return to(state === 'Enabled' ? 'Enabled' : 'Initializing');
  switch (state) {
    case 'Initializing':
    case 'Enabled':
      return to(running === 'Enabled' ? 'Enabled' : 'Initializing');
    default:
      return to(running === 'Enabled' || running === 'Initializing' ? running : 'PendingRestart');
  }
}

function stateOf(status: ChangedBlockTrackingStatus | undefined): TrackingState {
  switch (status?.state) {
    case 'PendingRestart':
    case 'Initializing':
    case 'Enabled':
    case 'Disabled':
    case 'IncrementalBackupFeatureGateDisabled':
      return status.state;
    default:
      return '';
  }
}
