/** Keeps the numbered Pods of StatefulSets and their claims. */
import type { PersistentVolumeClaim, Pod } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import {
  type Informer,
  type KubeClient,
  type ReconcileResult,
  resources,
  type TableController,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { nextAvailableInMs } from '../replica-set/reconcile.ts';
import { PodControl } from '../workloads/pod-control.ts';
import { workloads } from '../workloads/resources.ts';
import {
  currentRevision,
  expireRevisions,
  REVISION_LABEL,
  revisionsOf,
} from '../workloads/revision-history.ts';
import type { PodTemplate, Revision, StatefulSet } from '../workloads/types.ts';
import { writeStatus } from '../workloads/write-status.ts';
import {
  claimsFor,
  ordinalOf,
  planStateful,
  type Revisions,
  statefulPod,
  statefulSetStatus,
} from './reconcile.ts';

export interface StatefulSetControllerOptions extends ControllerOptions {
  readonly statefulSets: Informer<StatefulSet>;
  readonly revisions: Informer<Revision>;
  readonly pods: Informer<Pod>;
  readonly claims: Informer<PersistentVolumeClaim>;
}

export function statefulSetController(options: StatefulSetControllerOptions): TableController {
  const { client, statefulSets, revisions, pods, claims, clock, log } = options;
  const resource = workloads.statefulSets;
  const history = { client, resource, revisions };
  const control = new PodControl({
    client,
    resource,
    owners: statefulSets,
    pods,
    component: 'statefulset-controller',
    clock,
    log,
  });
  const reconcile = async (key: string, end: AbortSignal): Promise<ReconcileResult> => {
    const set = statefulSets.get(key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
    const own = (await control.claimed(set, end)).filter((pod) => ordinalOf(set, pod) !== undefined);
    const update = (await currentRevision(history, set, end)).name;
    const current = set.status?.currentRevision ?? '';
    const names: Revisions = { current: current === '' ? update : current, update };
    if (control.isUpToDate(set)) {
      const plan = planStateful(set, own, names, clock.now());
      await control.delete(set, plan.delete, end);
      for (const ordinal of plan.create) await makeClaims(client, claims, set, ordinal, end);
      const made = plan.create.map((ordinal) => podFor(set, ordinal, names, revisions));
      await control.create(set, made, end);
      const hashes = [
        names.current,
        names.update,
        ...own.map(({ metadata }) => metadata.labels?.[REVISION_LABEL] ?? ''),
      ];
      const inUse = new Set(hashes.map((name) => name.slice((set.metadata.name ?? '').length + 1)));
      await expireRevisions(history, set, inUse, set.spec.revisionHistoryLimit ?? 10, end);
    }
    await writeStatus(client, resource, set, statefulSetStatus(set, own, names, clock.now()), end);
    const requeueAfterMs = nextAvailableInMs(own, set.spec.minReadySeconds ?? 0, clock.now());
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  };
  return { name: 'stateful-set', workers: 2, connect: (wake) => control.connect(wake), reconcile };
}

/** Below the partition the revision of before is made anew, as long as it is known. */
function podFor(
  set: StatefulSet,
  ordinal: number,
  { current, update }: Revisions,
  revisions: Informer<Revision>,
): Pod {
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  const old =
    ordinal < partition && current !== update
      ? revisionsOf(revisions, set).find(({ metadata }) => metadata.name === current)
      : undefined;
  const template = old === undefined ? undefined : templateOf(old.data);
  if (template === undefined) return statefulPod(set, ordinal, update);
  return statefulPod({ ...set, spec: { ...set.spec, template } }, ordinal, current);
}

/** The parser of what `revisionData` wrote. */
function templateOf(data: unknown): PodTemplate | undefined {
  const spec = (
    data as { readonly spec?: { readonly template?: PodTemplate & { readonly $patch?: string } } } | undefined
  )?.spec;
  if (spec?.template === undefined) return undefined;
  const { $patch: _, ...template } = spec.template;
  return template;
}

async function makeClaims(
  client: KubeClient,
  claims: Informer<PersistentVolumeClaim>,
  set: StatefulSet,
  ordinal: number,
  signal: AbortSignal,
): Promise<void> {
  for (const claim of claimsFor(set, ordinal)) {
    if (claims.get(`${claim.metadata.namespace}/${claim.metadata.name}`) !== undefined) continue;
    try {
      await client.create(resources.persistentVolumeClaims, claim, {}, signal);
    } catch (error) {
      if (!isStatus(error, 'AlreadyExists')) throw error;
    }
  }
}
