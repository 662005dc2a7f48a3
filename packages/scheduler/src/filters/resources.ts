/** Does the node have room: number of Pods, cpu, memory, storage, and every extended resource by name. */
import type { Pod } from '@podvisor/api';
import { podRequests } from '../requests.ts';
import { type Filter, type Refusal, refuse } from '../types.ts';

export function resourcesFilter(pod: Pod): Filter {
  const requests = podRequests(pod);
  return (node) => {
    const refusals: Refusal[] = [];
    const podLimit = node.allocatable.get('pods');
    if (podLimit !== undefined && BigInt(node.pods.size + 1) * 1_000_000_000n > podLimit) {
      refusals.push(refuse('Too many pods', true));
    }
    for (const [name, amount] of requests) {
      if (amount === 0n) continue;
      const offered = node.allocatable.get(name) ?? 0n;
      if ((node.requested.get(name) ?? 0n) + amount <= offered) continue;
      // More than the whole node: no victim makes room for it.
      refusals.push(refuse(`Insufficient ${name}`, amount <= offered));
    }
    return refusals;
  };
}
