/**
 * autoscaling/v1 is an older face of HorizontalPodAutoscalers: one CPU target instead of a list of metrics. What v1
 * cannot say travels in annotations, as with Kubernetes.
 */
import {
  arrayAt,
  at,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';
import type { Conversion } from './definition.ts';

const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';

const isCpu = (metric: Json): boolean =>
  stringAt(metric, 'type') === 'Resource' &&
  stringAt(metric, 'resource', 'name') === 'cpu' &&
  at(metric, 'resource', 'target', 'averageUtilization') !== undefined;

function parsed(text: string | undefined): Json | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    // A client wrote nonsense into the annotation: it says nothing then.
    return undefined;
  }
}

function annotated(object: KubeObject, changes: Readonly<Record<string, string | undefined>>): KubeObject {
  const annotations: Record<string, string> = {};
  for (const [key, value] of Object.entries({ ...object.metadata.annotations, ...changes }))
    if (value !== undefined) annotations[key] = value;
  const { annotations: _, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations },
  };
}

export const autoscalerV1Conversion: Conversion = {
  toStorage: (object) => {
    const { targetCPUUtilizationPercentage: target, ...spec } = objectAt(object, 'spec');
    const { currentCPUUtilizationPercentage: _, ...status } = objectAt(object, 'status');
    const others = parsed(object.metadata.annotations?.[METRICS]);
    const behavior = parsed(object.metadata.annotations?.[BEHAVIOR]);
    const cpu: JsonObject = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: target ?? 80 } },
    };
    const metrics = [...(Array.isArray(others) ? others : []), ...(target === undefined ? [] : [cpu])];
    return {
      ...annotated(object, { [METRICS]: undefined, [BEHAVIOR]: undefined }),
      apiVersion: 'autoscaling/v2',
      spec: {
        ...spec,
        metrics: metrics.length === 0 ? [cpu] : metrics,
        ...(behavior === undefined ? {} : { behavior }),
      },
      status: { currentMetrics: null, ...status },
    };
  },
  fromStorage: (object) => {
    const { metrics: _, behavior, ...spec } = objectAt(object, 'spec');
    const { currentMetrics: _metrics, conditions: _conditions, ...status } = objectAt(object, 'status');
    const metrics = arrayAt(object, 'spec', 'metrics');
    const cpu = metrics.find(isCpu);
    const others = metrics.filter((metric) => metric !== cpu);
    const target = at(cpu, 'resource', 'target', 'averageUtilization');
    const current = arrayAt(object, 'status', 'currentMetrics').find(
      (metric) => stringAt(metric, 'resource', 'name') === 'cpu',
    );
    const used = at(current, 'resource', 'current', 'averageUtilization');
    return {
      ...annotated(object, {
        [METRICS]: others.length === 0 ? undefined : JSON.stringify(others),
        [BEHAVIOR]: behavior === undefined ? undefined : JSON.stringify(behavior),
      }),
      apiVersion: 'autoscaling/v1',
      spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
      status: {
        currentReplicas: 0,
        ...status,
        ...(used === undefined ? {} : { currentCPUUtilizationPercentage: used }),
      },
    };
  },
};
