import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Taint, Toleration } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { evictionTime, planEviction } from './reconcile.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const drain: Taint = { key: 'drain', effect: 'NoExecute', timeAdded: rfc3339(NOW - 10_000) };
const cases: readonly [string, readonly Taint[], readonly Toleration[], number | undefined][] = [
  ['no taints', [], [], undefined],
  ['NoSchedule evicts nobody', [{ key: 'a', effect: 'NoSchedule' }], [], undefined],
  ['not tolerated: now', [drain], [], 0],
  ['tolerated for ever', [drain], [{ key: 'drain', operator: 'Exists' }], undefined],
  [
    'tolerated for a while, counted from the taint',
    [drain],
    [{ key: 'drain', operator: 'Exists', tolerationSeconds: 30 }],
    20_000,
  ],
  [
    'the earlier of two taints',
    [drain, { key: 'b', effect: 'NoExecute' }],
    [{ key: 'drain', operator: 'Exists', tolerationSeconds: 30 }],
    0,
  ],
  [
    'an unreachable node evicts nobody',
    [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }],
    [],
    undefined,
  ],
];

for (const [name, taints, tolerations, expected] of cases) {
  test(name, () => {
    const at = evictionTime({ metadata: {}, spec: { containers: [], tolerations } }, taints, NOW);
    assert.equal(at === undefined ? undefined : at - NOW, expected);
  });
}

test('a Pod stays, is looked at later, or goes now', () => {
  const pod = { metadata: {}, spec: { containers: [], tolerations: [] } };
  assert.deepEqual(planEviction({ pod, taints: [], now: NOW }), { kind: 'stay' });
  assert.deepEqual(planEviction({ pod, taints: [drain], now: NOW }), { kind: 'evict' });
  const patient = { key: 'drain', operator: 'Exists', tolerationSeconds: 30 } as const;
  const later = { ...pod, spec: { ...pod.spec, tolerations: [patient] } };
  assert.deepEqual(planEviction({ pod: later, taints: [drain], now: NOW }), { kind: 'wait', ms: 20_000 });
});
