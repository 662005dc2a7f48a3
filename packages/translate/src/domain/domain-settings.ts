/** What a guest's domain takes from the cluster's configuration and its node: sent by virt-handler, shown by `render`. */
import type { ClusterConfig, SyncOptions, VirtualMachineInstance } from '@podvisor/api';
import { reportsFreePages } from './memory/free-page-reporting.ts';

/** The part of the configuration that reaches domains. */
export type DomainConfig = Pick<
  ClusterConfig,
  | 'smbios'
  | 'useEmulation'
  | 'memBalloonStatsPeriodSeconds'
  | 'freePageReportingDisabled'
  | 'serialConsoleLogDisabled'
>;

type DomainSettings = Pick<
  SyncOptions,
  | 'smbios'
  | 'allowEmulation'
  | 'kvmAvailable'
  | 'memBalloonStatsPeriodSeconds'
  | 'freePageReporting'
  | 'serialConsoleLog'
>;

export function domainSettings(
  vmi: VirtualMachineInstance,
  config: DomainConfig,
  kvmAvailable: boolean,
): DomainSettings {
  return {
    smbios: config.smbios,
    allowEmulation: config.useEmulation,
    kvmAvailable,
    memBalloonStatsPeriodSeconds: config.memBalloonStatsPeriodSeconds,
    freePageReporting: reportsFreePages(vmi, !config.freePageReportingDisabled),
    serialConsoleLog: !config.serialConsoleLogDisabled,
  };
}
