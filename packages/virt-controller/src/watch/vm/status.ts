/** The VM's status after a pass. Pure. */
import type { StateChangeRequest, VMStatus } from '@podvisor/api';
import { hasCondition } from '../conditions.ts';
import { isFinal } from '../vmi-phase.ts';
import { volumeUpdateState } from '../volume-migration/status.ts';
import { nextTracking } from './volumes/changed-block-tracking.ts';
import { type SyncProblem, vmConditions } from './conditions.ts';
import { generations } from './generations.ts';
import { nextMemoryDump } from './volumes/memory-dump.ts';
import { printableStatus } from './printable-status.ts';
import type { VmObservation, VmPlan } from './plan.ts';
import { remainingRequests } from './run/requests.ts';
import { runStrategyOf } from './run/run-strategy.ts';
import { nextStartFailure } from './run/start-failure.ts';
import { volumeSnapshotStatuses } from './volumes/volume-snapshots.ts';
import { openVolumeRequests } from './volumes/volume-requests.ts';

/** What became of the plan. */
export interface VmOutcome {
  readonly problem?: SyncProblem;
  readonly started: boolean;
  readonly stopped: boolean;
}

export function vmStatus(observed: VmObservation, plan: VmPlan, outcome: VmOutcome): VMStatus {
  const { vm, vmi, storage, nowMs, random } = observed;
  const problem = outcome.problem ?? plan.problem;
  const restartRequired = plan.restartRequired && !outcome.stopped;
  const requests = nextRequests(observed, plan, outcome);
  const volumeRequests = openVolumeRequests(vm);
  const startFailure = nextStartFailure(vm, vmi, nowMs, random);
  const old = vm.status ?? {};
  const settled = plan.strategyInForce && problem === undefined;
  const next: VMStatus = {
    ...old,
    ...(observed.expanded.kind === 'template' ? observed.expanded.refs : {}),
    ...generations(observed),
    created: vmi !== undefined && !isFinal(vmi),
    ready: vmi !== undefined && hasCondition(vmi.status?.conditions, 'Ready', 'True'),
    runStrategy: settled ? runStrategyOf(vm) : old.runStrategy,
    stateChangeRequests: requests.length > 0 ? requests : undefined,
    volumeRequests: volumeRequests.length > 0 ? volumeRequests : undefined,
    memoryDumpRequest: nextMemoryDump(vm, vmi, nowMs),
    hibernation: plan.hibernation,
    startFailure,
    volumeSnapshotStatuses: volumeSnapshotStatuses(vm, storage),
    changedBlockTracking: nextTracking(vm, vmi, observed.tracking),
    volumeUpdateState: volumeUpdateState(vm, vmi),
    conditions: vmConditions({
      ...{ vm, vmi, problem, restartRequired, nowMs, hibernation: plan.hibernation },
      ...(plan.restartMessage === undefined ? {} : { restartMessage: plan.restartMessage }),
    }),
  };
  return {
    ...next,
    printableStatus: printableStatus({
      vm: { ...vm, status: next },
      vmi,
      storage,
      startExpected: outcome.started,
      stopExpected: outcome.stopped,
      dataVolumeError: plan.dataVolumeError,
    }),
  };
}

function nextRequests(
  { vm, vmi }: VmObservation,
  plan: VmPlan,
  outcome: VmOutcome,
): readonly StateChangeRequest[] {
  const requests = remainingRequests(vm, vmi);
  if (!plan.queueStart || !outcome.stopped || requests.some((r) => r.action === 'Start')) return requests;
  return [...requests, { action: 'Start' }];
}
