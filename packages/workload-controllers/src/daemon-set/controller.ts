/** Keeps one Pod of each DaemonSet on every node that suits it. */
import type { Node, Pod } from '@podvisor/api';
import { type Informer, keyOf, type ReconcileResult, type TableController, type Wake } from '@podvisor/kube';
import { standsForProcess } from '@podvisor/home-contract';
import type { ControllerOptions } from '../controller-options.ts';
import { nextAvailableInMs } from '../replica-set/reconcile.ts';
import { controlledBy } from '../workloads/ownership.ts';
import { PodControl } from '../workloads/pod-control.ts';
import { podFromTemplate } from '../workloads/pod-from-template.ts';
import { workloads } from '../workloads/resources.ts';
import { currentRevision, expireRevisions, REVISION_LABEL } from '../workloads/revision-history.ts';
import type { DaemonSet, Revision } from '../workloads/types.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { DAEMON_TOLERATIONS, daemonSetStatus, planDaemons, desiredDaemonOn } from './reconcile.ts';

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
  const connect = (wake: Wake): void => {
    control.connect(wake);
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
  const reconcile = async (key: string, end: AbortSignal): Promise<ReconcileResult> => {
    const set = daemonSets.get(key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined || standsForProcess(set)) return;
    const own = await control.claimed(set, end);
    const { hash } = await currentRevision({ client, resource, revisions }, set, end);
    const model = podFromTemplate(set, set.spec.template, controlledBy(resource, set));
    const desiredByNode = new Map(
      nodes.list().map((node) => [node.metadata.name ?? '', desiredDaemonOn(model, node)]),
    );
    if (control.isUpToDate(set)) {
      const plan = planDaemons(set, nodes.list(), desiredByNode, own, hash, clock.now());
      await control.delete(set, plan.delete, end);
      await control.create(
        set,
        plan.create.map((name) => daemonPod(model, name, hash)),
        end,
      );
      const inUse = new Set([hash, ...own.map(({ metadata }) => metadata.labels?.[REVISION_LABEL] ?? '')]);
      await expireRevisions(
        { client, resource, revisions },
        set,
        inUse,
        set.spec.revisionHistoryLimit ?? 10,
        end,
      );
    }
    await writeStatus(
      client,
      resource,
      set,
      daemonSetStatus(set, desiredByNode, own, hash, clock.now()),
      end,
    );
    const requeueAfterMs = nextAvailableInMs(own, set.spec.minReadySeconds ?? 0, clock.now());
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  };
  return { name: 'daemon-set', workers: 2, connect, reconcile };
}

/** What decides whether a node suits. */
function fits({ metadata, spec }: Node): string {
  return JSON.stringify([metadata.labels, spec?.taints, spec?.unschedulable]);
}

/** Bound by the scheduler to the one node that it names. */
function daemonPod(model: Pod, node: string, hash: string): Pod {
  const { affinity, tolerations = [] } = model.spec;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const here = { key: 'metadata.name', operator: 'In', values: [node] };
  const nodeSelectorTerms =
    required === undefined
      ? [{ matchFields: [here] }]
      : required.map((term) => ({ ...term, matchFields: [here] }));
  return {
    ...model,
    metadata: { ...model.metadata, labels: { ...model.metadata.labels, [REVISION_LABEL]: hash } },
    spec: {
      ...model.spec,
      affinity: {
        ...affinity,
        nodeAffinity: {
          ...affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
        },
      },
      tolerations: [...tolerations, ...DAEMON_TOLERATIONS],
    },
  };
}
