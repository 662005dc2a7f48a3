/** Keeps as many Pods as a ReplicaSet says. */
import type { Pod } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { type Informer, type ReconcileResult, type TableController } from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { controlledBy } from '../workloads/ownership.ts';
import { PodControl } from '../workloads/pod-control.ts';
import { podFromTemplate } from '../workloads/pod-from-template.ts';
import { workloads } from '../workloads/resources.ts';
import type { ReplicaSet } from '../workloads/types.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { nextAvailableInMs, planReplicas, replicaSetStatus } from './reconcile.ts';

export interface ReplicaSetControllerOptions extends ControllerOptions {
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
}

export function replicaSetController(options: ReplicaSetControllerOptions): TableController {
  const { client, replicaSets, pods, clock, log } = options;
  const control = new PodControl({
    client,
    resource: workloads.replicaSets,
    owners: replicaSets,
    pods,
    component: 'replicaset-controller',
    clock,
    log,
  });
  const reconcile = async (key: string, end: AbortSignal): Promise<ReconcileResult> => {
    const set = replicaSets.get(key);
    if (set === undefined) return;
    const own = await control.claimed(set, end);
    let failure: { reason: string; message: string } | undefined;
    let thrown: unknown;
    if (set.metadata.deletionTimestamp === undefined && control.isUpToDate(set)) {
      const plan = planReplicas(set, own);
      try {
        const reference = controlledBy(workloads.replicaSets, set);
        const wanted = Array.from({ length: plan.create }, () =>
          podFromTemplate(set, set.spec.template, reference),
        );
        await control.create(set, wanted, end);
        await control.delete(set, plan.delete, end);
      } catch (error) {
        thrown = error;
        failure = { reason: plan.create > 0 ? 'FailedCreate' : 'FailedDelete', message: messageOf(error) };
      }
    }
    await writeStatus(
      client,
      workloads.replicaSets,
      set,
      replicaSetStatus(set, own, clock.now(), failure),
      end,
    );
    if (thrown !== undefined) throw thrown;
    const requeueAfterMs = nextAvailableInMs(own, set.spec.minReadySeconds ?? 0, clock.now());
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  };
  return { name: 'replica-set', workers: 4, connect: (wake) => control.connect(wake), reconcile };
}
