/**
 * The next actions of a snapshot, from what is seen. Pure. The VM is locked, its guest frozen through the agent, a
 * VolumeSnapshot asked for each claim, the guest thawed as soon as all are taken, the VM unlocked. Each plan does what
 * is missing, so a pass that was cut short is simply continued. The launcher thaws by itself at the deadline.
 */
import { failure, removal, unlock } from './end.ts';
import type { SnapshotObservation, SnapshotPlan } from './plan.ts';
import { deadlineMs } from './status.ts';
import { take } from './take.ts';

export function planSnapshot(observed: SnapshotObservation): SnapshotPlan {
  const { snapshot, nowMs } = observed;
  if (snapshot.metadata?.deletionTimestamp !== undefined) return { actions: removal(observed) };
  const phase = snapshot.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') return { actions: unlock(observed) };
  const limitMs = deadlineMs(snapshot);
  const endsMs = Date.parse(snapshot.metadata?.creationTimestamp ?? '') + (limitMs ?? 0);
  if (limitMs !== undefined && nowMs >= endsMs)
    return { actions: failure(observed, 'snapshot deadline exceeded') };
  const { actions, isOver, again } = take(observed);
  const requeueAfterMs = again ? 0 : isOver || limitMs === undefined ? undefined : endsMs - nowMs;
  return {
    actions: [{ kind: 'addFinalizer' }, ...actions],
    ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
  };
}
