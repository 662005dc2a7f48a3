/**
 * Old installations protected guests by a PodDisruptionBudget each. Evictions are answered by virt-api now, and a
 * budget that is left would hold up a drain for ever. None is made any more; those of VMIs are removed once.
 */
import type { KubernetesObject } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { defineResource, type KubeClient } from '@podvisor/kube';
import { controllerOfKind, ownerKinds } from '../ownership.ts';

const PREFIX = 'kubevirt-disruption-budget-';
export const budgets = defineResource<KubernetesObject>(
  'PodDisruptionBudget',
  'poddisruptionbudgets',
  'policy/v1',
);

/** True for a budget that an old installation made for a VMI. */
function isLegacyBudget(budget: KubernetesObject): boolean {
  const isNamed = budget.metadata?.name?.startsWith(PREFIX) === true;
  return isNamed && controllerOfKind(budget, ownerKinds.vmi) !== undefined;
}

export async function removeLegacyBudgets(
  client: Pick<KubeClient, 'list' | 'delete'>,
  signal: AbortSignal,
): Promise<void> {
  const { items } = await client.list(budgets, {}, signal);
  for (const { metadata } of items.filter(isLegacyBudget)) {
    const { namespace, name = '', uid } = metadata ?? {};
    try {
      await client.delete(budgets, { namespace, name }, { preconditions: { uid } }, signal);
    } catch (error) {
      if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
    }
  }
}
