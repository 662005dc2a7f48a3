/**
 * Settings of the KubeVirt object that are accepted, because clients write them, and that nothing acts on. Who sets
 * one is told so. `test/static/configuration-fields.test.ts` keeps this list and the code together.
 */
import { memberOf } from '@podvisor/base';
import type { KubeVirtConfiguration } from '../types/index.ts';

/** By path below `spec.configuration`: why it has no effect, or what to use instead. */
export const INERT_SETTINGS: Readonly<Record<string, string>> = {
  apiConfiguration: 'requests are not limited on the side of the client',
  controllerConfiguration: 'requests are not limited on the side of the client',
  handlerConfiguration: 'requests are not limited on the side of the client',
  webhookConfiguration: 'requests are not limited on the side of the client',
  'confidentialCompute.tdx.attestation.enforced': 'guests of this kind are measured or do not start',
  'developerConfiguration.clusterProfiler': 'components have no profiler',
  'developerConfiguration.minimumClusterTSCFrequency': 'nodes tell the frequencies that they have',
  'developerConfiguration.minimumReservePVCBytes': 'the file system overhead of CDI is kept free instead',
  'developerConfiguration.pvcTolerateLessSpaceUpToPercent': 'an image is as large as its claim has room for',
  'developerConfiguration.logVerbosity.virtOperator': 'virt-operator always logs what it does',
  'developerConfiguration.logVerbosity.virtSynchronizationController': 'there is no such component',
  mediatedDevicesConfiguration: 'nodes do not make mediated devices',
  minCPUModel: 'it is no longer used',
  'migrations.utilityVolumesTimeout': 'a migration waits for utility volumes until they are gone',
  'network.permitSlirpInterface': 'slirp is no longer supported',
  roleAggregationStrategy: 'the roles are always part of admin, edit and view',
  supportedGuestAgentVersions: 'an agent is judged by the commands that it knows',
  tlsConfiguration: 'components speak TLS 1.3, and TLS 1.2 with the ciphers of Node.js',
  virtTemplateDeployment: 'templates are not installed',
};

/** A warning for each of these that is set now and was not, or was another; `told`: paths warned of otherwise. */
export function inertWarnings(
  now: KubeVirtConfiguration,
  before: KubeVirtConfiguration,
  told: readonly string[] = [],
): readonly string[] {
  return Object.entries(INERT_SETTINGS).flatMap(([path, why]) => {
    const value = told.includes(path) ? undefined : at(now, path);
    if (value === undefined || JSON.stringify(value) === JSON.stringify(at(before, path))) return [];
    return [`spec.configuration.${path} has no effect: ${why}`];
  });
}

function at(configuration: KubeVirtConfiguration, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null
          ? memberOf(Object.fromEntries(Object.entries(value)), name)
          : undefined,
      configuration,
    );
}
