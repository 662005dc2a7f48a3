import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Taint, Toleration } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { evictionTime } from './reconcile.ts';

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
