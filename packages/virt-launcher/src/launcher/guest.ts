/** What deals with the guest while it runs: errors of its disks, backups, its agent, credentials, metrics. */
import { hostname } from 'node:os';
import { trackedSinceMs } from '@podvisor/storage';
import { run } from '@podvisor/sys';
import { mountedSecrets } from '../access-credentials/secrets.ts';
import { CredentialSynchronizer } from '../access-credentials/synchronizer.ts';
import { Backups } from '../backup/backups.ts';
import { backupDisks } from '../backup/tracked-disks.ts';
import { askAgent } from '../domain-manager/agent.ts';
import { requireDomain } from '../domain-manager/context.ts';
import { freezeBriefly } from '../domain-manager/freeze.ts';
import { domainStats } from '../domain-manager/stats.ts';
import { unpause } from '../domain-manager/unpause.ts';
import { DownwardMetrics } from '../downward-metrics/downward-metrics.ts';
import { GuestAgentPoller } from '../guest-agent/poller.ts';
import { IoErrors } from '../disks/io-errors.ts';
import type { LauncherParts } from './parts.ts';

/** Reading a large file once more takes its time. */
const DIG_MS = 60 * 60_000;

export function launcherIoErrors(parts: LauncherParts): IoErrors {
  const { runState } = parts;
  return new IoErrors({
    ...parts.options,
    resume: () => unpause(parts.context),
    isUserPaused: () => runState.userPaused || runState.terminating,
  });
}

export function launcherBackups(parts: LauncherParts): Backups {
  const { flags, builder, clock, log } = parts.options;
  return new Backups({
    vmName: flags.name,
    hotplugDirectory: builder.hotplugDirectory,
    domain: () => requireDomain(parts.context, 'back up'),
    disks: () => backupDisks(parts.context),
    trackedSinceMs: (volume) => trackedSinceMs(flags.paths.changedBlocks(volume)),
    isMigrating: () => parts.migration.isActive,
    freeze: () => freezeBriefly(parts.context),
    dig: async (file) => void (await run('fallocate', ['--dig-holes', file], { timeoutMs: DIG_MS })),
    onChange: () => void parts.observer.refresh(),
    clock,
    log,
  });
}

export function launcherAgent(parts: LauncherParts): GuestAgentPoller {
  const { clock, log } = parts.options;
  return new GuestAgentPoller({
    ask: (command) => askAgent(parts.context, command),
    onChange: () => void parts.observer.refresh(),
    clock,
    log,
  });
}

export function launcherCredentials(parts: LauncherParts): CredentialSynchronizer {
  const { flags, clock, log } = parts.options;
  return new CredentialSynchronizer({
    secrets: mountedSecrets(flags.paths.accessCredential),
    ask: (command, args) => askAgent(parts.context, command, args),
    onChange: () => void parts.observer.refresh(),
    clock,
    log,
  });
}

export function launcherMetrics(parts: LauncherParts): DownwardMetrics {
  const { flags, clock, log } = parts.options;
  return new DownwardMetrics({
    channelPath: flags.paths.downwardMetricsSocket,
    diskPath: flags.paths.downwardMetrics,
    stats: () => domainStats(parts.context),
    host: async () => ({
      nodeName: parts.runState.startedAs?.status?.nodeName ?? hostname(),
      qemuVersion: await parts.session.connection.hypervisorVersion(),
    }),
    clock,
    log,
  });
}
