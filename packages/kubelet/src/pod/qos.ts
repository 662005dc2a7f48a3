/** Quality of service: how much of its resources a Pod was promised. */
import type { Container, Pod } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { allContainers } from './types.ts';

const COUNTED = ['cpu', 'memory'] as const;

export function qosClass(pod: Pod): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = allContainers(pod);
  const asks = containers.some((c) =>
    COUNTED.some((name) => isSet(c.resources?.requests?.[name]) || isSet(c.resources?.limits?.[name])),
  );
  if (!asks) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function isSet(quantity: string | number | undefined): boolean {
  return quantity !== undefined && parseQuantity(quantity).nano > 0n;
}

function isGuaranteed(container: Container): boolean {
  return COUNTED.every((name) => {
    const limit = container.resources?.limits?.[name];
    const request = container.resources?.requests?.[name] ?? limit;
    if (limit === undefined || request === undefined || !isSet(limit)) return false;
    return parseQuantity(limit).compare(parseQuantity(request)) === 0;
  });
}
