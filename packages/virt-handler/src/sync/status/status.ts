/** The whole status of a VMI from what the node sees, in one piece, so that one write carries it. Pure. */
import {
  type DomainState,
  type InterfaceStatus,
  type VirtualMachineInstance,
  vmiConditions,
  type VMIStatus,
  podAddresses,
} from '@podvisor/api';
import { Amount, rfc3339 } from '@podvisor/base';
import { interfaceStatus, podNicsOf } from '@podvisor/network';
import { withAgentConditions } from '../conditions/agent-conditions.ts';
import { migrationStatus } from '../../migration/status.ts';
import { pausedCondition, SYNC_FAILED_REASON, withCondition, withVerdict } from '../conditions/conditions.ts';
import { hibernationStatus } from '../hibernation.ts';
import { withMemorySnapshot } from '../memory-snapshot.ts';
import { withHotChanges } from '../hot-changes.ts';
import { leaseVerdict } from '../lease-verdict.ts';
import { withKeptAddresses } from '../conditions/kept-addresses.ts';
import { migratability } from '../conditions/migratability.ts';
import { withReadyAtStart } from '../conditions/ready-with-running.ts';
import { trackingStatus } from '../../volumes/tracking.ts';
import { volumeStatuses } from '../../volumes/status.ts';
import { nextPhase } from './phase.ts';
import { type Situation } from '../situation.ts';

/** How the last attempt to make the domain match ended. */
export type SyncOutcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'failed'; readonly message: string }
  /** Nothing was tried, so nothing is known anew. */
  | { readonly kind: 'none' };

/** The status as it should be; equal to the old one when there is nothing to tell. */
export function nextStatus(
  vmi: VirtualMachineInstance,
  situation: Situation,
  outcome: SyncOutcome,
): VMIStatus {
  const now = rfc3339(situation.nowMs);
  const withPhase = phaseStatus(vmi, situation, now);
  const domain = situation.view.kind === 'present' ? situation.view.domain : undefined;
  const withDomain =
    domain === undefined ? withPhase : domainStatus(vmi, withPhase, situation, domain, outcome, now);
  const withMigration = migrationStatus(vmi, withDomain, situation);
  return {
    ...withMemorySnapshot(withMigration, vmi, domain),
    ...hibernationStatus(vmi, domain, outcome),
    ...syncedConditions(withMigration, outcome, now),
  };
}

function phaseStatus(vmi: VirtualMachineInstance, situation: Situation, now: string): VMIStatus {
  const old = vmi.status ?? {};
  const phase = nextPhase(vmi, situation);
  if (phase === undefined || phase === old.phase) return old;
  const seen = old.phaseTransitionTimestamps ?? [];
  const isNew = !seen.some((t) => t.phase === phase);
  return {
    ...old,
    phase,
    phaseTransitionTimestamps: isNew ? [...seen, { phase, phaseTransitionTimestamp: now }] : seen,
  };
}

function domainStatus(
  vmi: VirtualMachineInstance,
  status: VMIStatus,
  situation: Situation,
  domain: DomainState,
  outcome: SyncOutcome,
  now: string,
): VMIStatus {
  if (status.phase !== 'Running') return status;
  const migration = migratability({ ...vmi, status }, situation.lacksHostModel);
  let conditions = status.conditions ?? [];
  conditions = withVerdict(conditions, 'LiveMigratable', migration.live, now);
  conditions = withVerdict(conditions, 'StorageLiveMigratable', migration.storage, now);
  conditions = withKeptAddresses(conditions, vmi, situation, migration.live.status === 'True', now);
  conditions = withVerdict(
    conditions,
    vmiConditions.fencedByLease,
    leaseVerdict({ ...vmi, status }, domain),
    now,
  );
  conditions = withHotChanges(conditions, vmi, domain, situation.changeFailure, now);
  conditions = withAgentConditions(conditions, vmi, domain, now);
  conditions = withCondition(conditions, 'Paused', pausedCondition(domain), now);
  conditions = withReadyAtStart(conditions, vmi, situation.pod, domain, now);
  const seLinuxContext = situation.seLinuxContext ?? status.selinuxContext;
  const { guestOSInfo: _os, fsFreezeStatus: _fs, ...rest } = status;
  return {
    ...rest,
    conditions,
    interfaces: interfacesOf(vmi, status, situation, domain),
    volumeStatus: volumeStatuses(
      { ...vmi, status },
      {
        domain,
        plugged: situation.plugged,
        ...(outcome.kind === 'failed' ? { failure: outcome.message } : {}),
      },
    ),
    ...trackingStatus(vmi, domain),
    migrationMethod: migration.method,
    ...(seLinuxContext === undefined ? {} : { selinuxContext: seLinuxContext }),
    guestOSInfo: domain.guestOS ?? {},
    ...(domain.fsFreezeStatus === undefined || domain.fsFreezeStatus === 'thawed'
      ? {}
      : { fsFreezeStatus: domain.fsFreezeStatus }),
    ...(domain.machineType === undefined ? {} : { machine: { type: domain.machineType } }),
    ...(domain.cpu === undefined ? {} : { currentCPUTopology: domain.cpu }),
    ...memoryOf(status, domain),
  };
}

/** The guest's memory as it runs; the size at boot is another component's fact and stays. */
function memoryOf(status: VMIStatus, domain: DomainState): Pick<VMIStatus, 'memory'> {
  if (domain.memoryBytes === undefined) return {};
  const { current, requested } = domain.memoryBytes;
  return {
    memory: {
      ...status.memory,
      guestCurrent: Amount.ofBytes(current).toString(),
      ...(requested === undefined ? {} : { guestRequested: Amount.ofBytes(requested).toString() }),
    },
  };
}

function interfacesOf(
  vmi: VirtualMachineInstance,
  status: VMIStatus,
  situation: Situation,
  domain: DomainState,
): readonly InterfaceStatus[] {
  return interfaceStatus(vmi.spec, {
    domain: domain.interfaces,
    podIps: podAddresses(situation.pod),
    ...(situation.podInterfaces === undefined ? {} : { podNames: situation.podInterfaces }),
    podNics: podNicsOf(situation.pod?.metadata.annotations),
    ...(status.interfaces === undefined ? {} : { previous: status.interfaces }),
  });
}

function syncedConditions(
  status: VMIStatus,
  outcome: SyncOutcome,
  now: string,
): Pick<VMIStatus, 'conditions'> {
  if (outcome.kind === 'none') return {};
  const failed = { status: 'False', reason: SYNC_FAILED_REASON };
  const wanted = outcome.kind === 'ok' ? undefined : { ...failed, message: outcome.message };
  const old = status.conditions ?? [];
  const conditions = withCondition(old, 'Synchronized', wanted, now);
  return conditions === old ? {} : { conditions };
}
