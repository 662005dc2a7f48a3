/**
 * Scales workloads by what their Pods use. Looks every 15 seconds, as Kubernetes does, and only while there are
 * autoscalers; what it looks at comes from metrics.k8s.io.
 */
import type { Condition, KubernetesObject, ObjectMeta, Pod } from '@podvisor/api';
import { messageOf, parseQuantity, rfc3339 } from '@podvisor/base';
import {
  defineResource,
  EventRecorder,
  type Informer,
  type KubeClient,
  keyOf,
  pathOf,
  type ReconcileResult,
  resources,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { isReady } from '../workloads/pod-facts.ts';
import type { ServedResources } from '../served-resources.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { limited, recommend } from './recommend.ts';
import type { Autoscaler, AutoscalerStatus, MeasuredPod, MetricStatus } from './types.ts';

export const autoscalers = defineResource<Autoscaler>(
  'HorizontalPodAutoscaler',
  'horizontalpodautoscalers',
  'autoscaling/v2',
);

interface PodMetrics extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly containers: readonly { readonly name: string; readonly usage: Readonly<Record<string, string>> }[];
}
const podMetrics = defineResource<PodMetrics>('PodMetrics', 'pods', 'metrics.k8s.io/v1beta1');

interface Scale extends KubernetesObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number; readonly selector?: string };
}

export interface AutoscalerOptions extends ControllerOptions {
  readonly autoscalers: Informer<Autoscaler>;
  readonly served: ServedResources;
}

const PERIOD_MS = 15_000;
/** Fewer replicas only when that was right all this time. */
const DOWN_WINDOW_SECONDS = 300;

/** Recommendations of the past, by autoscaler. */
type History = Map<string, { readonly atMs: number; readonly replicas: number }[]>;

export function autoscalerController(options: AutoscalerOptions): TableController {
  const { client, clock, log } = options;
  const events = new EventRecorder({ client, component: 'horizontal-pod-autoscaler', clock, log });
  const history: History = new Map();
  const connect = (wake: Wake): void => {
    options.autoscalers.on({
      add: (object) => wake(keyOf(object)),
      update: (object, old) => {
        if (object.metadata.generation !== old.metadata.generation || !sameSpec(object, old))
          wake(keyOf(object));
      },
      delete: (object) => history.delete(keyOf(object)),
    });
  };
  const reconcile = async (key: string, end: AbortSignal): Promise<ReconcileResult> => {
    const autoscaler = options.autoscalers.get(key);
    if (autoscaler === undefined) return;
    const status = await look(options, autoscaler, history, events, end);
    await writeStatus(client, autoscalers, autoscaler, status, end);
    return { requeueAfterMs: PERIOD_MS };
  };
  return { name: 'autoscaler', workers: 1, connect, reconcile };
}

function sameSpec(a: Autoscaler, b: Autoscaler): boolean {
  return JSON.stringify(a.spec) === JSON.stringify(b.spec);
}

async function look(
  { client, served, clock }: AutoscalerOptions,
  autoscaler: Autoscaler,
  history: History,
  events: EventRecorder,
  signal: AbortSignal,
): Promise<AutoscalerStatus> {
  const { spec, metadata, status: before } = autoscaler;
  const now = clock.now();
  const note = new Conditions(before?.conditions ?? [], rfc3339(now));
  const same = (): AutoscalerStatus => ({
    ...before,
    desiredReplicas: before?.desiredReplicas ?? 0,
    currentMetrics: before?.currentMetrics ?? null,
    conditions: note.all(),
  });
  const { apiVersion = 'apps/v1', kind, name } = spec.scaleTargetRef;
  const target = served.byKind(apiVersion, kind);
  const cannotScale = (why: string): AutoscalerStatus => {
    const message = `the HPA controller was unable to get the target's current scale: ${why}`;
    note.set('AbleToScale', 'False', 'FailedGetScale', message);
    return same();
  };
  if (target === undefined) return cannotScale(`no matches for kind "${kind}" in group "${apiVersion}"`);
  let scale: Scale;
  try {
    const path = pathOf(target, { namespace: metadata.namespace, name, subresource: 'scale' });
    scale = await client.request<Scale>({ method: 'GET', path }, signal);
  } catch (error) {
    return cannotScale(messageOf(error));
  }
  note.set(
    'AbleToScale',
    'True',
    'SucceededGetScale',
    "the HPA controller was able to get the target's current scale",
  );
  const current = scale.spec?.replicas ?? 0;
  if (current === 0) {
    note.set(
      'ScalingActive',
      'False',
      'ScalingDisabled',
      'scaling is disabled since the replica count of the target is zero',
    );
    return { ...same(), currentReplicas: 0, desiredReplicas: 0 };
  }
  const pods = await measure(client, metadata.namespace ?? '', scale.status?.selector ?? '', signal);
  const results = (spec.metrics ?? []).map((metric) => recommend(metric, current, pods));
  const measured = results.flatMap((result) => (result.kind === 'replicas' ? [result] : []));
  const problem = results.find((result) => result.kind === 'failed');
  const base = {
    observedGeneration: metadata.generation,
    lastScaleTime: before?.lastScaleTime,
    currentReplicas: scale.status?.replicas ?? 0,
    currentMetrics: measured.length === 0 ? null : measured.map((result): MetricStatus => result.status),
  };
  if (measured.length === 0 && problem !== undefined) {
    note.set('ScalingActive', 'False', problem.reason, problem.message);
    return { ...base, desiredReplicas: before?.desiredReplicas ?? 0, conditions: note.all() };
  }
  note.set(
    'ScalingActive',
    'True',
    'ValidMetricFound',
    'the HPA was able to successfully calculate a replica count',
  );
  let wanted = Math.max(...measured.map(({ replicas }) => replicas));
  // One metric that cannot be seen never makes fewer of what the others cannot judge alone.
  if (problem !== undefined) wanted = Math.max(wanted, current);
  const steady = stabilized(
    history,
    keyOf(autoscaler),
    wanted,
    now,
    spec.behavior?.scaleDown?.stabilizationWindowSeconds,
  );
  const decision = limited(steady, current, spec.minReplicas ?? 1, spec.maxReplicas);
  note.set(
    'ScalingLimited',
    decision.reason === 'DesiredWithinRange' ? 'False' : 'True',
    decision.reason,
    decision.message,
  );
  if (decision.replicas === current) return { ...base, desiredReplicas: current, conditions: note.all() };
  await client.patch(
    target,
    { namespace: metadata.namespace, name },
    { type: 'merge', body: { spec: { replicas: decision.replicas } }, subresource: 'scale' },
    signal,
  );
  events.event(
    autoscaler,
    'Normal',
    'SuccessfulRescale',
    `New size: ${decision.replicas}; reason: ${wanted > current ? 'resource utilization above target' : 'All metrics below target'}`,
  );
  return { ...base, lastScaleTime: rfc3339(now), desiredReplicas: decision.replicas, conditions: note.all() };
}

/** The largest recommendation of the window: what went down must stay down for a while before it counts. */
function stabilized(
  history: History,
  key: string,
  replicas: number,
  now: number,
  windowSeconds = DOWN_WINDOW_SECONDS,
): number {
  const recent = (history.get(key) ?? []).filter(({ atMs }) => now - atMs <= windowSeconds * 1000);
  recent.push({ atMs: now, replicas });
  history.set(key, recent);
  return Math.max(...recent.map((entry) => entry.replicas));
}

async function measure(
  client: KubeClient,
  namespace: string,
  labelSelector: string,
  signal: AbortSignal,
): Promise<MeasuredPod[]> {
  const [pods, metrics] = await Promise.all([
    client.list(resources.pods, { namespace, labelSelector }, signal),
    client.list(podMetrics, { namespace, labelSelector }, signal),
  ]);
  return pods.items
    .filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase !== 'Failed')
    .map((pod): MeasuredPod => {
      const found = metrics.items.find(({ metadata }) => metadata.name === pod.metadata.name);
      const usage = found?.containers.map((container) => container.usage);
      return { ready: isReady(pod), requests: requestsOf(pod), usage: usage && total(usage) };
    });
}

/** A resource counts as requested when every container requests it. */
function requestsOf(pod: Pod): Map<string, bigint> {
  const lists = pod.spec.containers.map((container) => container.resources?.requests ?? {});
  const sum = total(lists);
  for (const name of sum.keys()) if (lists.some((list) => list[name] === undefined)) sum.delete(name);
  return sum;
}

function total(lists: readonly Readonly<Record<string, string | number>>[]): Map<string, bigint> {
  const sum = new Map<string, bigint>();
  for (const list of lists)
    for (const [name, amount] of Object.entries(list))
      sum.set(name, (sum.get(name) ?? 0n) + parseQuantity(amount).nano);
  return sum;
}

/** Conditions by type; a time changes only with its status. */
class Conditions {
  readonly #byType: Map<string, Condition>;
  readonly #now: string;

  constructor(before: readonly Condition[], now: string) {
    this.#byType = new Map(before.map((condition) => [condition.type, condition]));
    this.#now = now;
  }

  set(type: string, status: 'True' | 'False', reason: string, message: string): void {
    const before = this.#byType.get(type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : this.#now;
    this.#byType.set(type, { type, status, lastTransitionTime, reason, message });
  }

  all(): Condition[] {
    return [...this.#byType.values()];
  }
}
