/** What a cluster is, as far as an installation depends on it. Read once, when we begin to lead. */
import { isStatus } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import type { Monitoring } from './install/settings.ts';

/** ValidatingAdmissionPolicies, and the node in the tokens of Pods, without which a node could pass for another. */
export const OLDEST_KUBERNETES = { major: 1, minor: 32 } as const;

export interface ClusterSupport {
  readonly monitoringKinds: Monitoring['kinds'];
  readonly unsupported?: string;
}

export async function readClusterFacts(
  client: Pick<KubeClient, 'request'>,
  signal: AbortSignal,
): Promise<ClusterSupport> {
  const version = await client.request<Version>({ method: 'GET', path: '/version' }, signal);
  const unsupported = unsupportedVersion(version);
  return {
    monitoringKinds: await monitoringKinds(client, signal),
    ...(unsupported === undefined ? {} : { unsupported }),
  };
}

export interface Version {
  readonly major?: string;
  readonly minor?: string;
  readonly gitVersion?: string;
}

/** A sentence with the way out; undefined: the version will do. */
export function unsupportedVersion({ major = '', minor = '', gitVersion = '' }: Version): string | undefined {
  const [found, least] = [Number.parseInt(minor, 10), OLDEST_KUBERNETES];
  if (Number(major) > least.major || found >= least.minor) return undefined;
  return `Kubernetes ${gitVersion} is too old: ${least.major}.${least.minor} or newer is needed (the node in the tokens of Pods, ValidatingAdmissionPolicies); upgrade the cluster first`;
}

async function monitoringKinds(
  client: Pick<KubeClient, 'request'>,
  signal: AbortSignal,
): Promise<Monitoring['kinds']> {
  try {
    const path = '/apis/monitoring.coreos.com/v1';
    const list = await client.request<{ resources?: { kind?: string }[] }>({ method: 'GET', path }, signal);
    const found = new Set(list.resources?.map(({ kind }) => kind));
    return (['ServiceMonitor', 'PrometheusRule'] as const).filter((kind) => found.has(kind));
  } catch (error) {
    if (isStatus(error, 'NotFound')) return [];
    throw error;
  }
}
