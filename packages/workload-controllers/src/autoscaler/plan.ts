/** What an autoscaler does next, and what it says of itself, from what was seen of its target. Pure. */
import type {
  Condition,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { limited, recommend } from './recommend.ts';
import type { MeasuredPod } from './types.ts';

/** Fewer replicas only when that was right all this time. */
const DOWN_WINDOW_SECONDS = 300;

/** The target as it was read. */
export type TargetSeen =
  | { readonly kind: 'unreadable'; readonly why: string }
  /** `wanted`: replicas in its spec; `present`: in its status. */
  | {
      readonly kind: 'seen';
      readonly wanted: number;
      readonly present: number;
      readonly pods: readonly MeasuredPod[];
    };

/** A recommendation of the past. */
export interface PastReplicas {
  readonly atMs: number;
  readonly replicas: number;
}

export interface AutoscalerObservation {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly target: TargetSeen;
  readonly history: readonly PastReplicas[];
  readonly now: number;
}

export interface AutoscalerPlan {
  readonly status: HorizontalPodAutoscalerStatus;
  /** What is remembered for the next look. */
  readonly history: readonly PastReplicas[];
  /** Undefined: the target keeps its size. */
  readonly scale?: { readonly replicas: number; readonly message: string };
}

export function planAutoscaler({ autoscaler, target, history, now }: AutoscalerObservation): AutoscalerPlan {
  const { spec, metadata, status: before } = autoscaler;
  const note = new Conditions(before?.conditions ?? [], rfc3339(now));
  const same = (): HorizontalPodAutoscalerStatus => ({
    ...before,
    desiredReplicas: before?.desiredReplicas ?? 0,
    currentMetrics: before?.currentMetrics ?? null,
    conditions: note.all(),
  });
  if (target.kind === 'unreadable') {
    const message = `the HPA controller was unable to get the target's current scale: ${target.why}`;
    note.set('AbleToScale', 'False', 'FailedGetScale', message);
    return { status: same(), history };
  }
  note.set(
    'AbleToScale',
    'True',
    'SucceededGetScale',
    "the HPA controller was able to get the target's current scale",
  );
  const current = target.wanted;
  if (current === 0) {
    note.set(
      'ScalingActive',
      'False',
      'ScalingDisabled',
      'scaling is disabled since the replica count of the target is zero',
    );
    return { status: { ...same(), currentReplicas: 0, desiredReplicas: 0 }, history };
  }
  const results = (spec.metrics ?? []).map((metric) => recommend(metric, current, target.pods));
  const measured = results.flatMap((result) => (result.kind === 'replicas' ? [result] : []));
  const problem = results.find((result) => result.kind === 'failed');
  const base = {
    observedGeneration: metadata.generation,
    lastScaleTime: before?.lastScaleTime,
    currentReplicas: target.present,
    currentMetrics: measured.length === 0 ? null : measured.map((result): MetricStatus => result.status),
  };
  if (measured.length === 0 && problem !== undefined) {
    note.set('ScalingActive', 'False', problem.reason, problem.message);
    const desiredReplicas = before?.desiredReplicas ?? 0;
    return { status: { ...base, desiredReplicas, conditions: note.all() }, history };
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
  const recent = remembered(history, wanted, now, spec.behavior?.scaleDown?.stabilizationWindowSeconds);
  // What went down must stay down for a while before it counts.
  const steady = Math.max(...recent.map(({ replicas }) => replicas));
  const decision = limited(steady, current, spec.minReplicas ?? 1, spec.maxReplicas);
  note.set(
    'ScalingLimited',
    decision.reason === 'DesiredWithinRange' ? 'False' : 'True',
    decision.reason,
    decision.message,
  );
  const conditions = note.all();
  if (decision.replicas === current)
    return { status: { ...base, desiredReplicas: current, conditions }, history: recent };
  const why = wanted > current ? 'resource utilization above target' : 'All metrics below target';
  return {
    status: { ...base, lastScaleTime: rfc3339(now), desiredReplicas: decision.replicas, conditions },
    history: recent,
    scale: { replicas: decision.replicas, message: `New size: ${decision.replicas}; reason: ${why}` },
  };
}

/** The recommendations of the window, with this one. */
function remembered(
  history: readonly PastReplicas[],
  replicas: number,
  now: number,
  windowSeconds = DOWN_WINDOW_SECONDS,
): readonly PastReplicas[] {
  return [...history.filter(({ atMs }) => now - atMs <= windowSeconds * 1000), { atMs: now, replicas }];
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
