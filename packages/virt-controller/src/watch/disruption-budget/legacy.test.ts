import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@podvisor/api';
import { FakeApi } from '../../testing/fake-api.ts';
import { budgets, removeLegacyBudgets } from './legacy.ts';

function budget(name: string, kind: string): KubernetesObject {
  const owner = { apiVersion: 'kubevirt.io/v1', kind, name: 'vm', uid: 'u', controller: true };
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'default', ownerReferences: [owner] },
  };
}

test('budgets of old installations go, those of users stay', async () => {
  const api = new FakeApi();
  api.put(budgets, budget('kubevirt-disruption-budget-abcde', 'VirtualMachineInstance'));
  api.put(budgets, budget('kubevirt-disruption-budget-mine', 'Deployment'));
  api.put(budgets, budget('web', 'VirtualMachineInstance'));
  await removeLegacyBudgets(api, new AbortController().signal);
  assert.deepEqual(
    api.all(budgets).map(({ metadata }) => metadata?.name),
    ['kubevirt-disruption-budget-mine', 'web'],
  );
});
