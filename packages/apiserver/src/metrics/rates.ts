/** From two looks at the counters to the objects of metrics.k8s.io. Pure. */
import { rfc3339 } from '@podvisor/base';
import type { JsonObject, KubeObject } from '../wire/json.ts';
import type { NodeReading, PodReading, Reading } from '@podvisor/home-contract';

export const METRICS_VERSION = 'metrics.k8s.io/v1beta1';

export interface UsageObjects {
  readonly nodes: readonly KubeObject[];
  readonly pods: readonly KubeObject[];
}

/** What was used between `before` and `after`; nodes, Pods and containers that are in both. */
export function usageBetween(before: readonly NodeReading[], after: readonly NodeReading[]): UsageObjects {
  const nodes: KubeObject[] = [];
  const pods: KubeObject[] = [];
  for (const now of after) {
    const then = before.find(({ node }) => node === now.node);
    if (then === undefined || now.atMs <= then.atMs) continue;
    const elapsedMs = now.atMs - then.atMs;
    const head = { timestamp: rfc3339(now.atMs), window: `${Math.max(1, Math.round(elapsedMs / 1000))}s` };
    nodes.push({
      kind: 'NodeMetrics',
      apiVersion: METRICS_VERSION,
      metadata: { name: now.node, creationTimestamp: rfc3339(now.atMs) },
      ...head,
      usage: usage(then, now, elapsedMs),
    });
    for (const pod of now.pods) {
      const containers = containersOf(
        then.pods.find(({ uid }) => uid === pod.uid),
        pod,
        elapsedMs,
      );
      if (containers.length === 0) continue;
      pods.push({
        kind: 'PodMetrics',
        apiVersion: METRICS_VERSION,
        metadata: { name: pod.name, namespace: pod.namespace, creationTimestamp: rfc3339(now.atMs) },
        ...head,
        containers,
      });
    }
  }
  return { nodes, pods };
}

function containersOf(before: PodReading | undefined, after: PodReading, elapsedMs: number): JsonObject[] {
  return after.containers.flatMap((now): JsonObject[] => {
    const then = before?.containers.find(({ id }) => id === now.id);
    return then === undefined ? [] : [{ name: now.name, usage: usage(then, now, elapsedMs) }];
  });
}

function usage(before: Reading, after: Reading, elapsedMs: number): JsonObject {
  const used = Math.max(0, after.cpuNanoseconds - before.cpuNanoseconds);
  return {
    cpu: `${Math.round((used * 1000) / elapsedMs)}n`,
    memory: `${Math.round(after.workingSetBytes / 1024)}Ki`,
  };
}
