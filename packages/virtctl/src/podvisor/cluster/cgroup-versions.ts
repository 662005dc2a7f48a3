/** The version of control groups on each node, as its kubelet says; nodes that do not say are absent. */
import type { KubeClient } from '@podvisor/kube';

export async function readCgroupVersions(
  client: Pick<KubeClient, 'raw'>,
  nodes: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    nodes.map(async (node): Promise<readonly (readonly [string, string])[]> => {
      const path = `/api/v1/nodes/${node}/proxy/metrics`;
      // Whoever may not ask the kubelet, or whose kubelet does not answer, learns the rest.
      const answer = await client.raw({ method: 'GET', path }, signal).catch(() => undefined);
      const version = cgroupVersionIn(answer?.body.toString('utf8') ?? '');
      return version === undefined ? [] : [[node, version]];
    }),
  );
  return new Map(found.flat());
}

/** Out of a kubelet's metrics. Pure. */
export function cgroupVersionIn(metrics: string): string | undefined {
  return /^kubelet_cgroup_version (\d+)/m.exec(metrics)?.[1];
}
