import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { fateOf, type NodePresence, surplus } from './reconcile.ts';

const pod = (
  nodeName: string | undefined,
  phase: 'Running' | 'Succeeded' | 'Pending',
  deletionTimestamp?: string,
): Pod => ({
  metadata: { namespace: 'ns', name: 'p', deletionTimestamp },
  spec: { nodeName, containers: [] },
  status: { phase },
});

const cases: readonly [string, Pod, NodePresence, string][] = [
  ['waits for a node', pod(undefined, 'Pending'), 'unknown', 'keep'],
  ['deleted before it had a node', pod(undefined, 'Pending', 'now'), 'unknown', 'collect'],
  ['runs', pod('a', 'Running'), 'present', 'keep'],
  ['terminates on a node that is there', pod('a', 'Running', 'now'), 'present', 'keep'],
  ['its node is not in the cache', pod('a', 'Running'), 'unknown', 'check-node'],
  ['its node is proven gone', pod('a', 'Running'), 'absent', 'collect failed'],
  ['finished, its node is proven gone', pod('a', 'Succeeded'), 'absent', 'collect'],
];

for (const [name, subject, node, expected] of cases) {
  test(name, () => {
    const fate = fateOf(subject, node);
    assert.equal(`${fate.kind}${fate.kind === 'collect' && fate.markFailed ? ' failed' : ''}`, expected);
  });
}

test('only the oldest finished Pods beyond the limit go', () => {
  const at = (name: string, phase: 'Running' | 'Succeeded', creationTimestamp: string): Pod => ({
    metadata: { name, creationTimestamp },
    spec: { containers: [] },
    status: { phase },
  });
  const pods = [
    at('new', 'Succeeded', '3'),
    at('old', 'Succeeded', '1'),
    at('running', 'Running', '0'),
    at('mid', 'Succeeded', '2'),
  ];
  assert.deepEqual(
    surplus(pods, 2).map(({ metadata }) => metadata.name),
    ['old'],
  );
  assert.deepEqual(surplus(pods, 3), []);
});
