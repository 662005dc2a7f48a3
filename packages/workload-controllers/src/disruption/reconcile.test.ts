import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '@podvisor/api';
import { NOW, podIn } from '../testing/pods.ts';
import { budgetStatus } from './reconcile.ts';

const budget = (
  spec: PodDisruptionBudget['spec'],
  status?: PodDisruptionBudgetStatus,
): PodDisruptionBudget => ({
  metadata: { namespace: 'ns', name: 'b', generation: 4 },
  spec,
  status,
});
const pods = [podIn('ready', 'a'), podIn('ready', 'b'), podIn('ready', 'c'), podIn('running', 'd')];

const cases: readonly [string, PodDisruptionBudget['spec'], number | undefined, string][] = [
  ['a least number', { minAvailable: 2 }, 4, '1 of 3/2/4'],
  ['a least share', { minAvailable: '50%' }, 4, '1 of 3/2/4'],
  ['a largest number away', { maxUnavailable: 1 }, 4, '0 of 3/3/4'],
  ['a largest share away, rounded up', { maxUnavailable: '30%' }, 4, '1 of 3/2/4'],
  ['a share of nobody knows what allows nothing', { maxUnavailable: 1 }, undefined, '0 of 0/0/0'],
];
for (const [name, spec, expected, shown] of cases) {
  test(name, () => {
    const { status } = budgetStatus(budget(spec), { pods, expected, now: NOW });
    const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods } = status;
    assert.equal(`${disruptionsAllowed} of ${currentHealthy}/${desiredHealthy}/${expectedPods}`, shown);
    assert.equal(status.observedGeneration, 4);
  });
}

test('a granted eviction counts as gone, for two minutes', () => {
  const before: PodDisruptionBudgetStatus = {
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    disruptedPods: { a: new Date(NOW - 20_000).toISOString(), gone: new Date(NOW).toISOString() },
  };
  const granted = budgetStatus(budget({ minAvailable: 1 }, before), { pods, expected: 4, now: NOW });
  assert.deepEqual(Object.keys(granted.status.disruptedPods ?? {}), ['a']);
  assert.deepEqual([granted.status.currentHealthy, granted.againInMs], [2, 100_000]);
  const later = budgetStatus(budget({ minAvailable: 1 }, before), { pods, expected: 4, now: NOW + 200_000 });
  assert.deepEqual([later.status.disruptedPods, later.status.currentHealthy], [undefined, 3]);
});
