/**
 * UDP has no end that the kernel sees: a client that goes on sending keeps the endpoint that it has, also
 * when that is gone. These are the flows to forget when rules change. Pure.
 */
import type { PortRule } from './plan.ts';

export interface StaleFlow {
  /** Address that the client sends to. */
  readonly destination: string;
  /** Address that it was led to. */
  readonly target: string;
}

export function staleFlows(before: readonly PortRule[], after: readonly PortRule[]): StaleFlow[] {
  const now = new Map(after.map((rule) => [rule.chain, rule]));
  return before
    .filter(({ protocol }) => protocol === 'udp')
    .flatMap(({ chain, clusterIps, externalIps, inside, outside }) => {
      const current = now.get(chain);
      const kept = new Set([...(current?.inside ?? []), ...(current?.outside ?? [])].map(({ ip }) => ip));
      const gone = new Set([...inside, ...outside].map(({ ip }) => ip).filter((ip) => !kept.has(ip)));
      return [...clusterIps, ...externalIps].flatMap((destination) =>
        [...gone].map((target) => ({ destination, target })),
      );
    });
}
