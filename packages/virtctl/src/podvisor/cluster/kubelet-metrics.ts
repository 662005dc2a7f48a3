/** What kubelets and the API server tell of themselves in their metrics; who does not say is absent. */
import type { KubeClient } from '@podvisor/kube';

export interface KubeletFacts {
  readonly cgroupVersion?: string;
  /** Whether its gate ImageVolume is on. */
  readonly imageVolumes?: boolean;
}

type Client = Pick<KubeClient, 'raw'>;

export async function readKubelets(
  client: Client,
  nodes: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, KubeletFacts>> {
  const found = await Promise.all(
    nodes.map(async (node): Promise<readonly [string, KubeletFacts]> => {
      const metrics = await metricsAt(client, `/api/v1/nodes/${node}/proxy/metrics`, signal);
      const [cgroupVersion, imageVolumes] = [cgroupVersionIn(metrics), imageVolumeGateIn(metrics)];
      return [
        node,
        {
          ...(cgroupVersion === undefined ? {} : { cgroupVersion }),
          ...(imageVolumes === undefined ? {} : { imageVolumes }),
        },
      ];
    }),
  );
  return new Map(found);
}

/** Whether the API server's gate ImageVolume is on. */
export async function readApiServerGate(client: Client, signal: AbortSignal): Promise<boolean | undefined> {
  return imageVolumeGateIn(await metricsAt(client, '/metrics', signal));
}

/** Whoever may not ask, or is not answered, learns the rest. */
async function metricsAt(client: Client, path: string, signal: AbortSignal): Promise<string> {
  const answer = await client.raw({ method: 'GET', path }, signal).catch(() => undefined);
  return answer?.body.toString('utf8') ?? '';
}

/** Out of a kubelet's metrics. Pure. */
export function cgroupVersionIn(metrics: string): string | undefined {
  return /^kubelet_cgroup_version (\d+)/m.exec(metrics)?.[1];
}

/** Out of the metrics of any of Kubernetes' components. Pure. */
export function imageVolumeGateIn(metrics: string): boolean | undefined {
  const line = metrics
    .split('\n')
    .find((one) => one.startsWith('kubernetes_feature_enabled{') && one.includes('name="ImageVolume",'));
  return line?.endsWith(' 1');
}
