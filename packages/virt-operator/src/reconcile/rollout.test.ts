import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRolledOut } from './rollout.ts';

const cases: readonly [string, string, object, object, boolean][] = [
  ['ready', 'Deployment', { replicas: 1 }, { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }, true],
  [
    'the old one is what is available',
    'Deployment',
    { replicas: 1 },
    { replicas: 2, updatedReplicas: 1, availableReplicas: 1 },
    false,
  ],
  ['not available yet', 'Deployment', { replicas: 1 }, { replicas: 1, updatedReplicas: 1 }, false],
  [
    'not looked at yet',
    'Deployment',
    { replicas: 1 },
    { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
    false,
  ],
  [
    'on every node',
    'DaemonSet',
    {},
    { desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 },
    true,
  ],
  [
    'one node is old',
    'DaemonSet',
    {},
    { desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2 },
    false,
  ],
];
for (const [name, kind, spec, status, expected] of cases)
  test(`rolled out: ${name}`, () => {
    const object = { kind, metadata: { generation: 2 }, spec, status: { observedGeneration: 2, ...status } };
    assert.equal(isRolledOut(object), expected);
  });
