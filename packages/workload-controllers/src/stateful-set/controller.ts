/** Keeps the numbered Pods of StatefulSets and their claims. */
import type { PersistentVolumeClaim, Pod, StatefulSet } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import {
  controller,
  type Informer,
  type KubeClient,
  keyOf,
  type ReconcileResult,
  resources,
  type TableController,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { again } from '../workloads/again.ts';
import { PodControl } from '../workloads/pod-control.ts';
import { workloads } from '../workloads/resources.ts';
import { deleteRevisions, revisionsOf, writeRevision } from '../workloads/revision-history.ts';
import type { Revision } from '../workloads/types.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { planStatefulSet, type StatefulSetObservation, type StatefulSetPlan } from './reconcile.ts';

export interface StatefulSetControllerOptions extends ControllerOptions {
  readonly statefulSets: Informer<StatefulSet>;
  readonly revisions: Informer<Revision>;
  readonly pods: Informer<Pod>;
  readonly claims: Informer<PersistentVolumeClaim>;
}

export function statefulSetController(options: StatefulSetControllerOptions): TableController {
  const { client, statefulSets, revisions, pods, claims, clock, log } = options;
  const resource = workloads.statefulSets;
  const control = new PodControl({
    client,
    resource,
    owners: statefulSets,
    pods,
    component: 'statefulset-controller',
    clock,
    log,
  });
  const observe = (key: string): StatefulSetObservation | undefined => {
    const set = statefulSets.get(key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    return {
      set,
      owned: control.owned(set),
      history: revisionsOf(revisions, workloads.statefulSets, set),
      hasClaim: (claim) => claims.get(keyOf(claim)) !== undefined,
      isUpToDate: control.isUpToDate(set),
      now: clock.now(),
    };
  };
  const apply = async (
    plan: StatefulSetPlan,
    { set, owned }: StatefulSetObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    await control.claim(set, owned, signal);
    await writeRevision(client, set, plan.revision, signal);
    await control.delete(set, plan.delete, signal);
    for (const claim of plan.claims) await makeClaim(client, claim, signal);
    await control.create(set, plan.create, signal);
    await deleteRevisions(client, plan.expire, signal);
    await writeStatus(client, resource, set, plan.status, signal);
    return again(plan.againInMs);
  };
  return controller({
    name: 'stateful-set',
    workers: 2,
    wakes: [(wake) => control.connect(wake)],
    steps: { observe, plan: planStatefulSet, apply },
  });
}

async function makeClaim(
  client: KubeClient,
  claim: PersistentVolumeClaim,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.create(resources.persistentVolumeClaims, claim, {}, signal);
  } catch (error) {
    if (!isStatus(error, 'AlreadyExists')) throw error;
  }
}
