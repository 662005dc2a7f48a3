/** Whether a cluster will do for an installation. Read once, when we begin to lead. */
import type { KubeClient } from '@podvisor/kube';

/** ValidatingAdmissionPolicies, and the node in the tokens of Pods, without which a node could pass for another. */
export const OLDEST_KUBERNETES = { major: 1, minor: 32 } as const;

/** Why it will not do; undefined: it will. */
export async function readUnsupported(
  client: Pick<KubeClient, 'request'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  return unsupportedVersion(await client.request<Version>({ method: 'GET', path: '/version' }, signal));
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
