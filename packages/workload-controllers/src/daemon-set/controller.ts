/** Keeps one Pod of each DaemonSet on every node that suits it. */
import type { DaemonSet, Node, Pod } from '@podvisor/api';
import {
  controller,
  type Informer,
  keyOf,
  type ReconcileResult,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import { standsForProcess } from '@podvisor/home-contract';
import type { ControllerOptions } from '../controller-options.ts';
import { again } from '../workloads/again.ts';
import { PodControl } from '../workloads/pod-control.ts';
import { workloads } from '../workloads/resources.ts';
import { deleteRevisions, revisionsOf, writeRevision } from '../workloads/revision-history.ts';
import type { Revision } from '../workloads/types.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { type DaemonSetObservation, type DaemonSetPlan, planDaemonSet } from './reconcile.ts';

export interface DaemonSetControllerOptions extends ControllerOptions {
  readonly daemonSets: Informer<DaemonSet>;
  readonly revisions: Informer<Revision>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
}

export function daemonSetController(options: DaemonSetControllerOptions): TableController {
  const { client, daemonSets, revisions, pods, nodes, clock, log } = options;
  const resource = workloads.daemonSets;
  const control = new PodControl({
    client,
    resource,
    owners: daemonSets,
    pods,
    component: 'daemonset-controller',
    clock,
    log,
  });
  const wakeByNodes = (wake: Wake): void => {
    const all = (): void => {
      for (const set of daemonSets.list()) wake(keyOf(set));
    };
    nodes.on({
      add: all,
      delete: all,
      update: (node, old) => {
        if (fits(node) !== fits(old)) all();
      },
    });
  };
  const observe = (key: string): DaemonSetObservation | undefined => {
    const set = daemonSets.get(key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined || standsForProcess(set))
      return undefined;
    return {
      set,
      nodes: nodes.list(),
      owned: control.owned(set),
      history: revisionsOf(revisions, workloads.daemonSets, set),
      isUpToDate: control.isUpToDate(set),
      now: clock.now(),
    };
  };
  const apply = async (
    plan: DaemonSetPlan,
    { set, owned }: DaemonSetObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    await control.claim(set, owned, signal);
    await writeRevision(client, set, plan.revision, signal);
    await control.delete(set, plan.delete, signal);
    await control.create(set, plan.create, signal);
    await deleteRevisions(client, plan.expire, signal);
    await writeStatus(client, resource, set, plan.status, signal);
    return again(plan.againInMs);
  };
  return controller({
    name: 'daemon-set',
    workers: 2,
    wakes: [(wake) => control.connect(wake), wakeByNodes],
    steps: { observe, plan: planDaemonSet, apply },
  });
}

/** What decides whether a node suits. */
function fits({ metadata, spec }: Node): string {
  return JSON.stringify([metadata.labels, spec?.taints, spec?.unschedulable]);
}
