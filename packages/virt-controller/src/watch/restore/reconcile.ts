/**
 * The next actions of a restore, from what is seen. Pure. Until every new claim is there, nothing of the VM has
 * changed; the change of the VM is one write, marked with the restore that made it, so that a pass that was cut short
 * knows where it was.
 */
import type { VirtualMachine, VirtualMachineRestore } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { isMemoryOf, memoryOf } from './memory.ts';
import {
  fails,
  lookAgain,
  type RestoreAction,
  type RestoreObservation,
  type RestorePlan,
  waits,
} from './observation.ts';
import { LAST_RESTORE, volumeRestores } from './plan.ts';
import { afterChange, changeVm, claimActions, noMemory, unlock } from './take-back.ts';

/** How long a running target may take to stop. */
const GRACE_MS = 5 * 60_000;

export function hasRestoreFailed({ status }: VirtualMachineRestore): boolean {
  return status?.conditions?.some((c) => c.type === 'Failure' && c.status === 'True') === true;
}

export function planRestore(observed: RestoreObservation): RestorePlan {
  const { restore, snapshot, content, target } = observed;
  if (restore.status?.complete === true || hasRestoreFailed(restore)) return { actions: [] };
  if (restore.metadata?.deletionTimestamp !== undefined) return { actions: unlock(observed) };
  const { virtualMachineSnapshotName: from } = restore.spec;
  if (snapshot === undefined && restore.status?.restores !== undefined)
    return fails(`Snapshot ${from} was deleted before it was restored; the VirtualMachine stays as it is`);
  if (snapshot?.status?.readyToUse !== true || content === undefined)
    return waits(`Snapshot ${from} is not ready`);
  const restores = volumeRestores(restore, content);
  if (target !== undefined && isChanged(observed))
    return afterChange(observed, target, snapshot, content, restores);
  if (memoryOf(restore, content) !== undefined && !isMemoryOf(observed.memoryClaim, content))
    return fails(noMemory(observed, content));
  if (target !== undefined && observed.vmi !== undefined) return whileRunning(observed, target);
  if (target?.status?.hibernation?.phase === 'Hibernated') return whileHibernated(target);
  const holder = target?.status?.restoreInProgress;
  if (holder !== undefined && holder !== restore.metadata?.name)
    return { actions: [], retry: `restore ${holder} of the same VirtualMachine is in progress` };
  // Alone: the write of the VM holds only for the VM as it was seen locked.
  if (target !== undefined && holder === undefined)
    return { actions: [{ kind: 'lock', target }], requeueAfterMs: 0 };
  const begun: readonly RestoreAction[] = deepEqual(restore.status?.restores ?? [], restores)
    ? []
    : [{ kind: 'note', restores }];
  const claims = claimActions(observed, content, restores);
  if (claims.step !== undefined)
    return { actions: [...begun, ...claims.actions], step: claims.step, ...lookAgain(claims.actions) };
  return changeVm(observed, content, restores, begun);
}

/** This restore has written the VM. */
function isChanged({ restore, target }: RestoreObservation): boolean {
  return (
    target?.metadata?.annotations?.[LAST_RESTORE] === `${restore.metadata?.name}-${restore.metadata?.uid}`
  );
}

/** Its memory belongs to the disks that it has: on restored ones it would destroy them. */
function whileHibernated({ metadata }: VirtualMachine): RestorePlan {
  const reason = `The restore target ${metadata?.name} is hibernated; wake and stop it, or give its memory up (virtctl start --discard-state)`;
  return { actions: [], step: { kind: 'failed', reason, event: 'RestoreTargetNotReady' } };
}

function whileRunning({ restore, nowMs }: RestoreObservation, target: VirtualMachine): RestorePlan {
  const name = target.metadata?.name;
  const reason = `The restore target ${name} is running; stop it`;
  const failed: RestorePlan = {
    actions: [],
    step: { kind: 'failed', reason, event: 'RestoreTargetNotReady' },
  };
  switch (restore.spec.targetReadinessPolicy ?? 'WaitGracePeriod') {
    case 'FailImmediate':
      return failed;
    case 'StopTarget':
      return { ...waits(`Waiting for ${name} to stop`), actions: [{ kind: 'stop', target }] };
    case 'WaitEventually':
      return waits(reason);
    default: {
      const leftMs = Date.parse(restore.metadata?.creationTimestamp ?? '') + GRACE_MS - nowMs;
      if (leftMs <= 0) return failed;
      const isNews = restore.status?.conditions === undefined;
      return {
        ...waits(reason),
        actions: isNews ? [{ kind: 'notReadyEvent', reason }] : [],
        requeueAfterMs: leftMs,
      };
    }
  }
}
