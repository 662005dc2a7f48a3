/** What a namespace asks of the Pods in it: quotas that count limits, and its labels. Pure. */
import type { Namespace } from '@podvisor/api';
import type { NamespaceFacts } from '@podvisor/translate';
import type { ResourceQuota } from '../resources.ts';

export function namespaceFacts(
  namespace: Namespace | undefined,
  quotas: readonly ResourceQuota[],
): NamespaceFacts {
  const counts = (resource: string): boolean =>
    quotas.some(({ spec }) => spec?.hard?.[resource] !== undefined);
  return {
    labels: namespace?.metadata?.labels ?? {},
    cpuLimitsQuota: counts('limits.cpu'),
    memoryLimitsQuota: counts('limits.memory'),
  };
}
