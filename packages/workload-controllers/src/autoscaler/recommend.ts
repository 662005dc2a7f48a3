/** How many replicas the measured use calls for. Pure; the rules are those of Kubernetes' autoscaler. */
import type { MetricSpec, MetricStatus } from '@podvisor/api';
import type { MeasuredPod } from './types.ts';
import { parseQuantity } from '@podvisor/base';

/** A ratio this near to one changes nothing. */
const TOLERANCE = 0.1;

export type Recommendation =
  | { readonly kind: 'replicas'; readonly replicas: number; readonly status: MetricStatus }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string };

/** For one metric. */
export function recommend(
  metric: MetricSpec,
  replicas: number,
  pods: readonly MeasuredPod[],
): Recommendation {
  const { resource } = metric;
  if (metric.type !== 'Resource' || resource === undefined)
    return failed(
      `metrics of type ${metric.type} are not served by this cluster: it measures cpu and memory of Pods`,
    );
  const { name, target } = resource;
  const measured = pods.filter(({ ready, usage }) => ready && usage?.has(name) === true);
  if (measured.length === 0)
    return failed(
      `unable to get metrics for resource ${name}: no metrics returned from resource metrics API`,
    );
  let used = 0n;
  for (const { usage } of measured) used += usage?.get(name) ?? 0n;
  const average = used / BigInt(measured.length);
  if (target.averageUtilization !== undefined) {
    let requested = 0n;
    for (const { requests } of measured) {
      const request = requests.get(name);
      if (request === undefined)
        return failed(`failed to get ${name} utilization: missing request for ${name}`);
      requested += request;
    }
    const utilization = requested === 0n ? 0 : Number((used * 100n) / requested);
    return found(name, replicas, measured.length, pods.length, utilization / target.averageUtilization, {
      averageUtilization: utilization,
      averageValue: shown(name, average),
    });
  }
  const wanted = parseQuantity(target.averageValue ?? target.value ?? '0').nano;
  const ratio = wanted === 0n ? 1 : Number(average) / Number(wanted);
  return found(name, replicas, measured.length, pods.length, ratio, { averageValue: shown(name, average) });
}

function failed(message: string): Recommendation {
  return {
    kind: 'failed',
    reason: 'FailedGetResourceMetric',
    message: `the HPA was unable to compute the replica count: ${message}`,
  };
}

function found(
  name: string,
  replicas: number,
  measured: number,
  all: number,
  ratio: number,
  current: NonNullable<MetricStatus['resource']>['current'],
): Recommendation {
  const status: MetricStatus = { type: 'Resource', resource: { name, current } };
  if (Math.abs(ratio - 1) <= TOLERANCE) return { kind: 'replicas', replicas, status };
  // Pods that were not measured use nothing when there should be more, and all they may when there should be fewer.
  const unmeasured = all - measured;
  const adjusted =
    ratio > 1 ? (ratio * measured) / (measured + unmeasured) : (ratio * measured + unmeasured) / all;
  if (Math.abs(adjusted - 1) <= TOLERANCE || adjusted < 1 !== ratio < 1)
    return { kind: 'replicas', replicas, status };
  return { kind: 'replicas', replicas: Math.ceil(adjusted * all), status };
}

function shown(name: string, nano: bigint): string {
  return name === 'cpu' ? `${(nano + 999_999n) / 1_000_000n}m` : String(nano / 1_000_000_000n);
}

/** A number within the limits of the autoscaler, and what limited it. */
export function limited(
  wanted: number,
  current: number,
  min: number,
  max: number,
): { readonly replicas: number; readonly reason: string; readonly message: string } {
  // At most twice as many, or four, at a time.
  const upTo = Math.min(max, Math.max(2 * current, 4));
  if (wanted > upTo)
    return upTo === max
      ? {
          replicas: max,
          reason: 'TooManyReplicas',
          message: 'the desired replica count is more than the maximum replica count',
        }
      : {
          replicas: upTo,
          reason: 'ScaleUpLimit',
          message: 'the desired replica count is increasing faster than the maximum scale rate',
        };
  if (wanted < min)
    return {
      replicas: min,
      reason: 'TooFewReplicas',
      message: 'the desired replica count is less than the minimum replica count',
    };
  return {
    replicas: wanted,
    reason: 'DesiredWithinRange',
    message: 'the desired count is within the acceptable range',
  };
}
