/** Whether a cluster will do for an installation. */
import type { KubeClient } from '@podvisor/kube';

/** ValidatingAdmissionPolicies, and the node in the tokens of Pods, without which a node could pass for another. */
export const OLDEST_KUBERNETES = { major: 1, minor: 32 } as const;

/** Tells why the cluster will not do; undefined: it will. It is asked until it will, as it may be upgraded. */
export function followUnsupported(
  client: Pick<KubeClient, 'request'>,
): (signal: AbortSignal) => Promise<string | undefined> {
  let isGood = false;
  return async (signal) => {
    if (isGood) return undefined;
    const problem = unsupportedVersion(
      await client.request<Version>({ method: 'GET', path: '/version' }, signal),
    );
    isGood = problem === undefined;
    return problem;
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
