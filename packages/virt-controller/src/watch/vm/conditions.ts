/** `status.conditions` of a VM: its own (Ready, Failure, RestartRequired, ManualRecoveryRequired) and a copy of its VMI's. Pure. */
import type { VirtualMachine, VirtualMachineInstance, VMHibernation } from '@podvisor/api';
import { type Condition, findCondition, removeCondition, setCondition } from '../conditions.ts';
import { withRecovery } from '../volume-migration/status.ts';
import { RESTART_REQUIRED_MESSAGE } from './live/restart-required.ts';

/** Why a pass could not do what it decided. */
export interface SyncProblem {
  readonly reason: string;
  readonly message: string;
}

/** Conditions that a VM has of its own; all others are the VMI's. */
const OWN: ReadonlySet<string> = new Set([
  'Ready',
  'Failure',
  'RestartRequired',
  'ManualRecoveryRequired',
  'HibernatedStateRefused',
  'HibernationFailed',
]);

export interface ConditionInput {
  readonly vm: VirtualMachine;
  readonly vmi: VirtualMachineInstance | undefined;
  readonly problem: SyncProblem | undefined;
  readonly restartRequired: boolean;
  /** Why, when it is not a change of the template in general. */
  readonly restartMessage?: string;
  readonly hibernation?: VMHibernation | undefined;
  readonly nowMs: number;
}

export function vmConditions(input: ConditionInput): readonly Condition[] {
  const { vm, vmi, problem, restartRequired, restartMessage, nowMs } = input;
  let conditions = withVmiConditions(vm.status?.conditions ?? [], vmi?.status?.conditions ?? []);
  conditions = setCondition(conditions, readyCondition(vmi), nowMs);
  conditions = withRecovery(conditions, vm, vmi, nowMs);
  conditions = withRefusal(conditions, input.hibernation, nowMs);
  conditions = withFailedHibernation(conditions, input.hibernation, nowMs);
  conditions =
    problem === undefined
      ? removeCondition(conditions, 'Failure')
      : setCondition(conditions, { type: 'Failure', status: 'True', ...problem }, nowMs);
  return restartRequired
    ? setCondition(
        conditions,
        {
          type: 'RestartRequired',
          status: 'True',
          reason: 'RestartRequired',
          message: restartMessage ?? RESTART_REQUIRED_MESSAGE,
        },
        nowMs,
      )
    : removeCondition(conditions, 'RestartRequired');
}

/** A state that is not loaded stays until somebody decides: the VM is made to fit again, or the state is discarded. */
function withRefusal(
  conditions: readonly Condition[],
  hibernation: VMHibernation | undefined,
  nowMs: number,
): readonly Condition[] {
  if (hibernation?.phase !== 'Hibernated' || hibernation.reason === undefined)
    return removeCondition(conditions, 'HibernatedStateRefused');
  const { reason, message } = hibernation;
  return setCondition(conditions, { type: 'HibernatedStateRefused', status: 'True', reason, message }, nowMs);
}

/** It tells why the guest goes on, as long as that guest is there and nobody asks again. */
function withFailedHibernation(
  conditions: readonly Condition[],
  hibernation: VMHibernation | undefined,
  nowMs: number,
): readonly Condition[] {
  if (hibernation?.phase !== 'Failed') return removeCondition(conditions, 'HibernationFailed');
  const { message } = hibernation;
  return setCondition(
    conditions,
    { type: 'HibernationFailed', status: 'True', reason: 'GuestGoesOn', message },
    nowMs,
  );
}

function readyCondition(vmi: VirtualMachineInstance | undefined): Condition {
  if (vmi === undefined) {
    return { type: 'Ready', status: 'False', reason: 'VMINotExists', message: 'VMI does not exist' };
  }
  const ready = findCondition(vmi.status?.conditions, 'Ready');
  if (ready === undefined) {
    return {
      type: 'Ready',
      status: 'False',
      reason: 'VMIConditionMissing',
      message: 'VMI is missing the Ready condition',
    };
  }
  return { type: 'Ready', status: ready.status, reason: ready.reason, message: ready.message };
}

/** Keeps the VM's own conditions and the order of the list; the rest follows the VMI. */
function withVmiConditions(old: readonly Condition[], ofVmi: readonly Condition[]): readonly Condition[] {
  const kept = old
    .map((c) => (OWN.has(c.type) ? c : findCondition(ofVmi, c.type)))
    .filter((c) => c !== undefined);
  const added = ofVmi.filter((c) => !OWN.has(c.type) && findCondition(old, c.type) === undefined);
  return [...kept, ...added];
}
