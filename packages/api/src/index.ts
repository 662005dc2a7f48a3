/** The dictionary: types, CRDs, defaults, rules and protocols. Pure; imports nothing but `base`. */
export { usersOf } from './storage/claim-users.ts';
export type { CloneRight, CloneSource } from './storage/clone-rights.ts';
export { clonePinFor, clonePinOf, withClonePin } from './storage/clone-pin.ts';
export { type CloneSpec, cloneSourceOf, mayClone } from './storage/clone-source.ts';
export { resolveSource, unresolvedSource } from './storage/data-volume-source.ts';
export { DEFAULT_CLASS, defaultClass, LOCAL_PROVISIONER } from './storage/storage-class.ts';
export { controllerPolicies } from './admission/controller-policies.ts';
export { handlerPolicies } from './admission/handler-policies.ts';
export { catalogueObjects } from './catalogue/catalogue.ts';
export { certificateNames, nodeOfUnits, nodeUnit } from './contracts/certificate-names.ts';
export {
  type CertificateAnswer,
  type CertificateRequestAnnotation,
  parseCertificateRequest,
} from './contracts/certificate-requests.ts';
export type { Architecture, ArchitectureDefaults } from './config/architectures.ts';
export {
  architectureDefaults,
  type ClusterConfig,
  clusterConfig,
  isGateEnabled,
} from './config/cluster-config.ts';
export type { MigrationDefaults } from './config/migration-settings.ts';
export { type FeatureGate, type FeatureGateState, featureGates } from './config/feature-gates.ts';
export { hasImageVolumes } from './config/image-volumes.ts';
export { type LoggingComponent, type LogLevel, logLevel, logVerbosity } from './config/log-level.ts';
export { crdFor, crds } from './crds/crds.ts';
export { type KindEntry, type KindVersion, kindRegistry } from './crds/registry.ts';
export type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
  PrinterColumn,
  Subresources,
} from './crds/schema.ts';
export {
  type FenceRequest,
  fenceAfterMs,
  handlerRenewMs,
  type LeasePlace,
  leasePlace,
  type NodeLossTimes,
  nodeLossBounds,
  renewEveryMs,
} from './lifecycle/node-loss.ts';
export { type LeaseReport, parseLeaseReport } from './contracts/lease-report.ts';
export { defaultClone } from './defaults/clone.ts';
export {
  type DefaultsContext,
  DefaultsError,
  type VmDefaultsContext,
  type VmiDefaultsContext,
} from './defaults/context.ts';
export { defaultMigration } from './defaults/migration.ts';
export { withCanonicalQuantities } from './defaults/quantities.ts';
export { defaultVm } from './defaults/vm.ts';
export {
  defaultVmi,
  defaultVmiDevices,
  defaultVmiSpec,
  defaultVmiUpdate,
  vmiDefaultWarnings,
} from './defaults/vmi/index.ts';
export type { Draft } from './draft.ts';
export {
  controllerKey,
  controllerOf,
  controllerOfKind,
  foundController,
  isControlledBy,
  isLauncherOf,
  isOwnedBy,
  type OwnerKind,
  ownerKinds,
  saidOwners,
  saidOwnerUids,
  saySameOwners,
  withOwner,
  withoutOwner,
} from './ownership.ts';
export * as devicePluginProto from './gen/deviceplugin.ts';
export * as launcherProto from './gen/launcher.ts';
export * as hooksProto from './gen/messages/hooks.ts';
export * as hooksInfoProto from './gen/messages/hooks_info.ts';
export * as launcherMessages from './gen/messages/launcher.ts';
export { type Expansion, type ExpansionResult, expandVmiSpec } from './instancetype/apply.ts';
export { conflictCauses, requirementCauses, spreadCauses } from './instancetype/requirements.ts';
export { matchesRequirement, matchesSelector } from './label-selector.ts';
export { templateSpec } from './template-spec.ts';
export * from './contracts/backup-contract.ts';
export * from './contracts/domain-state.ts';
export * from './contracts/interface-attachment.ts';
export * from './contracts/launcher-contract.ts';
export {
  type ConfigDiskKind,
  HANDLER_STATE_DIR,
  isClaimPath,
  LAUNCHER_DIRECTORY_FLAGS,
  type LauncherDirectories,
  type LauncherPaths,
  launcherPaths,
  leasedImageOf,
  pluggedClaimName,
  pluggedVolumeOf,
  QEMU_SOCKET,
  SHARED_MEMORY,
} from './contracts/launcher-paths.ts';
export {
  IMPORT_JOB_VARIABLE,
  type ImportJob,
  type ImportProgress,
  importPaths,
  type ImportSource,
  UPLOAD_OFFSET,
  UPLOAD_PORT,
  UPLOAD_VERSION,
} from './contracts/import-contract.ts';
export { claimBytes } from './lifecycle/claim-bytes.ts';
export { isPodEnded, podAddresses } from './lifecycle/pod.ts';
export { hotplugMemoryProblem } from './lifecycle/memory-hotplug.ts';
export * from './contracts/migration-progress.ts';
export { growsInPlace, IN_PLACE } from './lifecycle/grow-in-place.ts';
export * from './names.ts';
export type * from './contracts/disk-path.ts';
export type * from './contracts/network-path.ts';
export { apiVersionOf, type Resource, resources } from './resources.ts';
export { type Admission, admissionOf, refusal } from './rules/admission.ts';
export { type ClosedKind, closedValueProblems, closedValueRefusal } from './rules/closed-values.ts';
export { type DomainKind, unreadablePoolRefusal, unsignedRefusal } from './rules/unsigned-numbers.ts';
export { validateBackupCreate, validateBackupTrackerCreate } from './rules/other/backup.ts';
export { validateClone } from './rules/other/clone.ts';
export {
  decideEviction,
  type EvictionContext,
  type EvictionDecision,
} from './rules/other/eviction.ts';
export { validatePodIdentity } from './rules/other/pod-identity.ts';
export { validateExport } from './rules/other/export.ts';
export {
  validateKubeVirtCreate,
  validateKubeVirtDelete,
  validateKubeVirtUpdate,
} from './rules/other/kubevirt.ts';
export { validateInstancetype } from './rules/other/instancetype.ts';
export { validateMigrationPolicy } from './rules/other/migration-policy.ts';
export { type ExpressionUse, type PluginContext, validatePlugin } from './rules/other/plugin.ts';
export { validatePreference } from './rules/other/preference.ts';
export { validatePreset } from './rules/other/preset.ts';
export { validatePool, validateReplicaSet } from './rules/other/replica-set.ts';
export {
  needsBackendStorage,
  type RestoreContext,
  validateRestore,
  validateSnapshot,
} from './rules/other/snapshot.ts';
export type { Cause, CauseReason, Rule, RuleContext } from './rules/rule.ts';
export {
  type MigrationValidationContext,
  validateMigrationCreate,
  validateMigrationUpdate,
} from './rules/validate-migration.ts';
export {
  validateVmCreate,
  validateVmStatus,
  validateVmUpdate,
  type VmValidationContext,
} from './rules/validate-vm.ts';
export { validateVmiCreate, type VmiValidationContext } from './rules/validate-vmi.ts';
export { validateVmiUpdate, type VmiUpdateContext } from './rules/validate-vmi-update.ts';
export { matcherProblems } from './rules/vm/matchers.ts';
export { schemaProblems } from './schema-problems.ts';
export type * from './types/index.ts';
export { webhookMatchConditions } from './admission/match-conditions.ts';
export {
  type WebhookEntry,
  type WebhookOperation,
  type WebhookRule,
  webhooks,
} from './admission/webhooks.ts';
export { claimName, isHotpluggable, isMemoryDump, volumesOfPod } from './storage/volume-claims.ts';
export {
  HIBERNATION_VOLUME,
  HIBERNATION_VOLUME_TYPE,
  type HibernatedState,
  hibernatedStateOf,
  hibernatedStateText,
  type HibernationRefusal,
  hibernationVolume,
  refusalIn,
  refusalText,
} from './lifecycle/hibernation.ts';
export {
  needsStateKey,
  STATE_KEY_SUBRESOURCE,
  type StateKeyAnswer,
  stateIdOf,
} from './lifecycle/state-id.ts';
export {
  MEMORY_SNAPSHOT_VOLUME,
  type MemorySnapshotType,
  memorySnapshotTypes,
  memorySnapshotVolume,
  takesMemory,
} from './lifecycle/memory-snapshot.ts';
export { migratedVolume, movesVolumes } from './storage/volume-migration.ts';
export {
  ALL_METRICS,
  API_METRICS,
  CONTROLLER_METRICS,
  HANDLER_METRICS,
  QUEUE_METRICS,
} from './metrics/catalogue.ts';
export {
  CONTROL_PLANE_METRICS,
  HANDOFF_METRICS,
  NODE_METRICS,
  PROCESS_METRICS,
  STREAM_METRICS,
} from './metrics/own-metrics.ts';
export type { Alert } from './metrics/alerts/alert.ts';
export { ALERTS } from './metrics/alerts/index.ts';
export { OWN_RECORDING_RULES, RECORDING_RULES, type RecordingRule } from './metrics/recording-rules.ts';
export { OBJECTIVES, type Objective, objectiveQuery } from './metrics/objectives.ts';
export { plainYaml } from './metrics/plain-yaml.ts';
export { prometheusRule, ruleGroups } from './metrics/rule-objects.ts';
export { API_VERSION, KUBERNETES_BUILD, KUBERNETES_VERSION } from './version.ts';
export { type PluggedDisks, plugRequested } from './storage/volume-requests.ts';

export { type HostDeviceKind, hostDeviceVariable } from './config/host-device-variables.ts';
