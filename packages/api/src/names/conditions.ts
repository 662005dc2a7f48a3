/** Conditions and their reasons, and reasons of events. */

export const vmiConditions = {
  provisioning: 'Provisioning',
  ready: 'Ready',
  synchronized: 'Synchronized',
  paused: 'Paused',
  agentConnected: 'AgentConnected',
  accessCredentialsSynchronized: 'AccessCredentialsSynchronized',
  agentVersionNotSupported: 'AgentVersionNotSupported',
  /** Ours. Only there (False) when a migration would change an address of the VM. */
  /** Ours: others can tell the guest's end from its storage. */
  fencedByLease: 'FencedByLease',
  /** Ours: the node of the guest is lost; then how its end was proven, and where it runs now. */
  nodeLost: 'NodeLost',
  leaseExpired: 'LeaseExpired',
  fenced: 'Fenced',
  restartedOn: 'RestartedOn',
  addressesKept: 'AddressesKept',
  liveMigratable: 'LiveMigratable',
  storageLiveMigratable: 'StorageLiveMigratable',
  hotVCPUChange: 'HotVCPUChange',
  hotMemoryChange: 'HotMemoryChange',
  volumesChange: 'VolumesChange',
  dataVolumesReady: 'DataVolumesReady',
  decentralizedLiveMigrationFailure: 'DecentralizedLiveMigrationFailure',
  migrationRequired: 'MigrationRequired',
  evictionRequested: 'EvictionRequested',
  softwareEmulation: 'SoftwareEmulation',
  podScheduled: 'PodScheduled',
} as const;

export const vmConditions = {
  failure: 'Failure',
  ready: 'Ready',
  paused: 'Paused',
  restartRequired: 'RestartRequired',
  manualRecoveryRequired: 'ManualRecoveryRequired',
} as const;

export const migrationConditions = {
  abortRequested: 'migrationAbortRequested',
  rejectedByResourceQuota: 'migrationRejectedByResourceQuota',
  blockedByUtilityVolumes: 'migrationBlockedByUtilityVolumes',
  decentralizedBlocked: 'decentralizedMigrationBlocked',
  blockedByBackup: 'migrationBlockedByBackup',
} as const;

/** Reasons of VMI conditions. */
export const conditionReasons = {
  podTerminating: 'PodTerminating',
  podNotExists: 'PodNotExists',
  podConditionMissing: 'PodConditionMissing',
  guestNotRunning: 'GuestNotRunning',
  pausedByUser: 'PausedByUser',
  pausedIOError: 'PausedIOError',
  pausedByMigrationMonitor: 'PausedByMigrationMonitor',
  disksNotLiveMigratable: 'DisksNotLiveMigratable',
  interfaceNotLiveMigratable: 'InterfaceNotLiveMigratable',
  hotplugNotLiveMigratable: 'HotplugNotLiveMigratable',
  cpuModeLiveMigratable: 'CPUModeLiveMigratable',
  virtIOFSNotLiveMigratable: 'VirtIOFSNotLiveMigratable',
  hostDeviceNotLiveMigratable: 'HostDeviceNotLiveMigratable',
  sevNotLiveMigratable: 'SEVNotLiveMigratable',
  secureExecutionNotLiveMigratable: 'SecureExecutionNotLiveMigratable',
  tdxNotLiveMigratable: 'TDXNotLiveMigratable',
  noTSCFrequencyNotLiveMigratable: 'NoTSCFrequencyNotLiveMigratable',
  hypervPassthroughNotLiveMigratable: 'HypervPassthroughNotLiveMigratable',
  persistentReservationNotLiveMigratable: 'PersistentReservationNotLiveMigratable',
  /** Of StorageLiveMigratable: the message names what is in the way. */
  notMigratable: 'NotMigratable',
  /** Of VolumesChange: the volumes were put back. */
  volumesChangeCancellation: 'VolumesChangeCancellation',
  decentralizedNotLiveMigratable: 'DecentralizedNotLiveMigratable',
  /** virt-handler's reason when a sync with the domain failed: a sentence, as clients know it. */
  synchronizationFailed: 'Synchronizing with the Domain failed.',
  failedCreate: 'FailedCreate',
} as const;

/** Reasons of the Failure condition of a VM. */
export const vmFailureReasons = {
  hotPlugVolume: 'HotPlugVolumeError',
  hotPlugCPU: 'HotPlugCPUError',
  hotPlugMemory: 'HotPlugMemoryError',
  hotPlugNetworkInterface: 'HotPlugNetworkInterfaceError',
  affinityChange: 'AffinityChangeError',
  tolerationsChange: 'TolerationsChangeError',
  volumesUpdate: 'VolumesUpdateError',
  firmwareUUID: 'FirmwareUUIDError',
  failedUpdate: 'FailedUpdateError',
} as const;

/** Reasons of Kubernetes events. */
export const eventReasons = {
  successfulCreate: 'SuccessfulCreate',
  failedCreate: 'FailedCreate',
  successfulDelete: 'SuccessfulDelete',
  failedDelete: 'FailedDelete',
  successfulDataVolumeCreate: 'SuccessfulDataVolumeCreate',
  failedDataVolumeCreate: 'FailedDataVolumeCreate',
  failedDataVolumeImport: 'FailedDataVolumeImport',
  unauthorizedDataVolumeCreate: 'UnauthorizedDataVolumeCreate',
  sourcePVCNotAvailable: 'SourcePVCNotAvailabe',
  created: 'Created',
  deleted: 'Deleted',
  started: 'Started',
  shuttingDown: 'ShuttingDown',
  stopped: 'Stopped',
  preparingTarget: 'PreparingTarget',
  migrating: 'Migrating',
  migrated: 'Migrated',
  syncFailed: 'SyncFailed',
  resumed: 'Resumed',
  presetFailed: 'PresetFailed',
  override: 'Override',
  accessCredentialsSyncFailed: 'AccessCredentialsSyncFailed',
  accessCredentialsSyncSuccess: 'AccessCredentialsSyncSuccess',
  paused: 'Paused',
  unpaused: 'Unpaused',
  freezeError: 'FreezeError',
  successfulPaused: 'SuccessfulPaused',
  successfulResumed: 'SuccessfulResumed',
} as const;
