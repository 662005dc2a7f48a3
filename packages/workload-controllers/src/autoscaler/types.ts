/** HorizontalPodAutoscalers (autoscaling/v2), as far as their controller reads and writes them. */
import type { Condition, KubernetesObject, ObjectMeta } from '@podvisor/api';

export interface MetricTarget {
  readonly type?: string;
  readonly averageUtilization?: number;
  readonly averageValue?: string;
  readonly value?: string;
}

export interface MetricSpec {
  readonly type: string;
  readonly resource?: { readonly name: string; readonly target: MetricTarget };
}

export interface ScalingRules {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
}

export interface Autoscaler extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly scaleTargetRef: { readonly apiVersion?: string; readonly kind: string; readonly name: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly MetricSpec[];
    readonly behavior?: { readonly scaleUp?: ScalingRules; readonly scaleDown?: ScalingRules };
  };
  readonly status?: AutoscalerStatus;
}

export interface AutoscalerStatus {
  readonly observedGeneration?: number;
  readonly lastScaleTime?: string;
  readonly currentReplicas?: number;
  readonly desiredReplicas: number;
  readonly currentMetrics?: readonly MetricStatus[] | null;
  readonly conditions?: readonly Condition[];
}

export interface MetricStatus {
  readonly type: 'Resource';
  readonly resource: {
    readonly name: string;
    readonly current: { readonly averageUtilization?: number; readonly averageValue: string };
  };
}

/** A Pod of the target, and what it uses; `usage` is undefined while nothing was measured. */
export interface MeasuredPod {
  readonly ready: boolean;
  /** In nano units, by resource; a resource that is not requested is absent. */
  readonly requests: ReadonlyMap<string, bigint>;
  readonly usage: ReadonlyMap<string, bigint> | undefined;
}
