/** What any Pod says about itself. */
import type { Pod } from '../types/index.ts';

/** All its containers have ended for good. */
export function isPodEnded({ status }: Pick<Pod, 'status'>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** All addresses, the first one first; none of a Pod that is not there. */
export function podAddresses(pod: Pick<Pod, 'status'> | undefined): readonly string[] {
  const { podIP, podIPs } = pod?.status ?? {};
  return podIPs?.map(({ ip }) => ip) ?? (podIP === undefined ? [] : [podIP]);
}
