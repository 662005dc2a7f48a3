/** The dictionary: types, CRDs, defaults, rules and protocols. Pure; imports nothing but `base`. */
export * as devicePluginProto from './gen/deviceplugin.ts';
export * as launcherProto from './gen/launcher.ts';
export type * from './launcher-contract.ts';
export type * from './types/index.ts';
