/** The dictionary: types, CRDs, defaults, rules and protocols. Pure; imports nothing but `base`. */
export {
  type Architecture,
  type ArchitectureDefaults,
  architectureDefaults,
  type ClusterConfig,
  clusterConfig,
  isGateEnabled,
  type MigrationDefaults,
} from './config/cluster-config.ts';
export { type FeatureGate, type FeatureGateState, featureGates } from './config/feature-gates.ts';
export { crdFor, crds } from './crds/crds.ts';
export { type KindEntry, type KindVersion, kindRegistry } from './crds/registry.ts';
export type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
  PrinterColumn,
  Subresources,
} from './crds/schema.ts';
export { defaultClone } from './defaults/clone.ts';
export {
  type DefaultsContext,
  DefaultsError,
  type VmDefaultsContext,
  type VmiDefaultsContext,
} from './defaults/context.ts';
export { defaultMigration } from './defaults/migration.ts';
export { defaultVm, matcherProblems } from './defaults/vm.ts';
export { defaultVmi, defaultVmiSpec, defaultVmiUpdate, vmiDefaultWarnings } from './defaults/vmi/index.ts';
export { type Draft, draftOf } from './draft.ts';
export * as devicePluginProto from './gen/deviceplugin.ts';
export * as launcherProto from './gen/launcher.ts';
export { matchesSelector } from './label-selector.ts';
export type * from './launcher-contract.ts';
export * from './names.ts';
export { apiVersionOf, type Resource, resources } from './resources.ts';
export type * from './types/index.ts';
