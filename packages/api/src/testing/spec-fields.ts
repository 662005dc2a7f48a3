/** The fields that the rules of a VMI spec blame, for tables of tests. */
import { clusterConfig } from '../config/cluster-config.ts';
import { runRules } from '../rules/rule.ts';
import { vmiSpecRules } from '../rules/vmi/index.ts';
import type { Devices, KubeVirtConfiguration, VMISpec } from '../types/index.ts';

/** Fields in the order of their causes; `spec` needs only what the test is about. */
export function specFields(
  spec: Partial<VMISpec>,
  configuration: KubeVirtConfiguration = {},
): readonly string[] {
  const config = clusterConfig({ spec: { configuration } });
  return runRules(vmiSpecRules, { domain: { devices: {} }, ...spec }, { config, path: 'spec' }).map(
    ({ field }) => field,
  );
}

/** A spec with these devices. */
export function withDevices(devices: Devices, more: Partial<VMISpec> = {}): Partial<VMISpec> {
  return { ...more, domain: { devices } };
}

/** A configuration that names gates. */
export function withGates(...featureGates: readonly string[]): KubeVirtConfiguration {
  return { developerConfiguration: { featureGates } };
}
