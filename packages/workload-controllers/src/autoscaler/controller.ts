/**
 * Scales workloads by what their Pods use. Looks every 15 seconds, as Kubernetes does, and only while there are
 * autoscalers; what it looks at comes from metrics.k8s.io.
 */
import type { HorizontalPodAutoscaler, KubernetesObject, ObjectMeta, Pod } from '@podvisor/api';
import { messageOf, parseQuantity } from '@podvisor/base';
import {
  controller,
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
import {
  type AutoscalerObservation,
  type AutoscalerPlan,
  type PastReplicas,
  planAutoscaler,
  type TargetSeen,
} from './plan.ts';
import type { MeasuredPod } from './types.ts';

export const autoscalers = defineResource<HorizontalPodAutoscaler>(
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
  readonly autoscalers: Informer<HorizontalPodAutoscaler>;
  readonly served: ServedResources;
}

const PERIOD_MS = 15_000;
export function autoscalerController(options: AutoscalerOptions): TableController {
  const { client, served, clock, log } = options;
  const events = new EventRecorder({ client, component: 'horizontal-pod-autoscaler', clock, log });
  /** Recommendations of the past, by autoscaler. */
  const history = new Map<string, readonly PastReplicas[]>();
  const wakes = (wake: Wake): void => {
    options.autoscalers.on({
      add: (object) => wake(keyOf(object)),
      update: (object, old) => {
        if (object.metadata.generation !== old.metadata.generation || !sameSpec(object, old))
          wake(keyOf(object));
      },
      delete: (object) => history.delete(keyOf(object)),
    });
  };
  const observe = async (key: string, signal: AbortSignal): Promise<AutoscalerObservation | undefined> => {
    const autoscaler = options.autoscalers.get(key);
    if (autoscaler === undefined) return undefined;
    const target = await readTarget(options, autoscaler, signal);
    return { autoscaler, target, history: history.get(key) ?? [], now: clock.now() };
  };
  const apply = async (
    plan: AutoscalerPlan,
    { autoscaler }: AutoscalerObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    history.set(keyOf(autoscaler), plan.history);
    const { apiVersion, kind, name } = targetOf(autoscaler);
    const target = served.byKind(apiVersion, kind);
    if (plan.scale !== undefined && target !== undefined) {
      const { namespace } = autoscaler.metadata;
      const body = { spec: { replicas: plan.scale.replicas } };
      const patch = { type: 'merge', body, subresource: 'scale' } as const;
      await client.patch(target, { namespace, name }, patch, signal);
      events.event(autoscaler, 'Normal', 'SuccessfulRescale', plan.scale.message);
    }
    await writeStatus(client, autoscalers, autoscaler, plan.status, signal);
    return { requeueAfterMs: PERIOD_MS };
  };
  return controller({
    name: 'autoscaler',
    workers: 1,
    wakes: [wakes],
    steps: { observe, plan: planAutoscaler, apply },
  });
}

function sameSpec(a: HorizontalPodAutoscaler, b: HorizontalPodAutoscaler): boolean {
  return JSON.stringify(a.spec) === JSON.stringify(b.spec);
}

function targetOf({ spec }: HorizontalPodAutoscaler): { apiVersion: string; kind: string; name: string } {
  return { apiVersion: 'apps/v1', ...spec.scaleTargetRef };
}

async function readTarget(
  { client, served }: AutoscalerOptions,
  autoscaler: HorizontalPodAutoscaler,
  signal: AbortSignal,
): Promise<TargetSeen> {
  const { apiVersion, kind, name } = targetOf(autoscaler);
  const { namespace = '' } = autoscaler.metadata;
  const target = served.byKind(apiVersion, kind);
  if (target === undefined)
    return { kind: 'unreadable', why: `no matches for kind "${kind}" in group "${apiVersion}"` };
  let scale: Scale;
  try {
    const path = pathOf(target, { namespace, name, subresource: 'scale' });
    scale = await client.request<Scale>({ method: 'GET', path }, signal);
  } catch (error) {
    return { kind: 'unreadable', why: messageOf(error) };
  }
  const wanted = scale.spec?.replicas ?? 0;
  // Nothing is measured of a target that is not to run.
  const pods = wanted === 0 ? [] : await measure(client, namespace, scale.status?.selector ?? '', signal);
  return { kind: 'seen', wanted, present: scale.status?.replicas ?? 0, pods };
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
