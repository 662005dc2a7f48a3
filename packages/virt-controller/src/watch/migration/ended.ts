/** What is left to do for a migration that has ended: nothing of it may stay behind. Pure. */
import { finalizers, MIGRATION_REPORT_ANNOTATION, type Pod } from '@podvisor/api';
import { isPodDeleting, isPodFinal } from '../vmi/pod-state.ts';
import { recordOf } from './facts.ts';
import type { MigrationAction, MigrationObservation, MigrationPlan } from './plan.ts';
import { endStateClaims } from './state-claims.ts';
import { endedMs } from './turn.ts';
import { forgetTargetPatch } from './vmi-patches.ts';

/** A source launcher ends by itself; one that has not by then has lost its virt-handler. */
const SOURCE_GRACE_MS = 60_000;

export function planEnded(observed: MigrationObservation): MigrationPlan {
  const { migration } = observed;
  const cleaning = migration.status?.phase === 'Failed' ? afterFailure(observed) : afterSuccess(observed);
  const isHeld = migration.metadata?.finalizers?.includes(finalizers.migration) ?? false;
  const release: readonly MigrationAction[] = isHeld ? [{ kind: 'release', report: reportOf(observed) }] : [];
  return { ...cleaning, actions: [...cleaning.actions, ...release] };
}

/** The guest stays where it is: the target Pod goes, and no node waits for the guest any more. */
function afterFailure(observed: MigrationObservation): MigrationPlan {
  const { migration, vmi, targetPod } = observed;
  const patch = vmi === undefined || recordOf(migration, vmi) === undefined ? [] : forgetTargetPatch(vmi);
  return {
    actions: [
      ...(patch.length === 0 ? [] : [{ kind: 'patchVmi', patch } as const]),
      ...(targetPod === undefined ? [] : deletions([targetPod])),
      ...endStateClaims(observed, true),
    ],
  };
}

/** The guest has moved: Pods that it left earlier go, the one that it left now when it does not end by itself. */
function afterSuccess({ migration, vmi, pods, nowMs }: MigrationObservation): MigrationPlan {
  const record = vmi === undefined ? undefined : recordOf(migration, vmi);
  // A later migration looks after all of this.
  if (vmi === undefined || record === undefined || vmi.status?.nodeName !== record.targetNode)
    return { actions: [] };
  const earlier = pods.filter(
    (pod) =>
      isPodFinal(pod) && pod.metadata.name !== record.targetPod && pod.metadata.name !== record.sourcePod,
  );
  const stuck = pods.filter(
    (pod) => pod.metadata.name === record.sourcePod && !isPodFinal(pod) && !isPodDeleting(pod),
  );
  const leftMs = endedMs(migration) + SOURCE_GRACE_MS - nowMs;
  return {
    actions: deletions(leftMs > 0 ? earlier : [...earlier, ...stuck]),
    ...(stuck.length > 0 && leftMs > 0 ? { requeueAfterMs: leftMs } : {}),
  };
}

function deletions(pods: readonly Pod[]): readonly MigrationAction[] {
  return pods.filter((pod) => !isPodDeleting(pod)).map((pod) => ({ kind: 'deletePod', pod }));
}

/** The source's report on this migration, if it left one. */
function reportOf({ migration, vmi }: MigrationObservation): string | undefined {
  if (vmi === undefined || recordOf(migration, vmi) === undefined) return undefined;
  const report = vmi.metadata?.annotations?.[MIGRATION_REPORT_ANNOTATION];
  return report?.includes(migration.metadata?.uid ?? '') ? report : undefined;
}
