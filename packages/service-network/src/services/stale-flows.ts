/**
 * UDP has no end that the kernel sees: a client that goes on sending keeps the endpoint that it has, also
 * when that is gone. These are the flows to forget when rules change. Pure.
 */
import type { PortRule } from './plan.ts';

export interface StaleFlow {
  /** Address that the client sends to. */
  readonly destination: string;
  /** Address that it was led to; undefined: any. */
  readonly target?: string;
}

/** Each is a program to run, while the rules of everybody wait. What is not forgotten ends when its client pauses. */
const MAX_FLOWS = 64;
/** Of an address that loses more endpoints at once, all flows are forgotten: their clients find another. */
const MAX_TARGETS = 4;

export function staleFlows(before: readonly PortRule[], after: readonly PortRule[]): StaleFlow[] {
  const now = new Map(after.map((rule) => [rule.chain, rule]));
  const gone = new Map<string, Set<string>>();
  for (const { protocol, chain, clusterIps, externalIps, inside, outside } of before) {
    if (protocol !== 'udp') continue;
    const current = now.get(chain);
    const kept = new Set([...(current?.inside ?? []), ...(current?.outside ?? [])].map(({ ip }) => ip));
    const left = new Set([...inside, ...outside].map(({ ip }) => ip).filter((ip) => !kept.has(ip)));
    for (const destination of left.size === 0 ? [] : [...clusterIps, ...externalIps])
      gone.set(destination, new Set([...(gone.get(destination) ?? []), ...left]));
  }
  return [...gone]
    .flatMap(([destination, targets]): StaleFlow[] =>
      targets.size > MAX_TARGETS
        ? [{ destination }]
        : [...targets].map((target) => ({ destination, target })),
    )
    .slice(0, MAX_FLOWS);
}
