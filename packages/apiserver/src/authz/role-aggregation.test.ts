import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../wire/json.ts';
import { collectedRules } from './role-aggregation.ts';

const role = (name: string, labels: Record<string, string>, ...verbs: string[]): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules: verbs.map((verb) => ({ verbs: [verb] })),
});

test('a role collects the rules of the roles it selects, each once', () => {
  const all: KubeObject = {
    ...role('all', { to: 'all' }),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: 'all' } }] },
  };
  const roles = [
    all,
    role('a', { to: 'all' }, 'get', 'list'),
    role('b', {}, 'delete'),
    role('c', { to: 'all' }, 'get', 'watch'),
  ];
  assert.deepEqual(collectedRules(all, roles), [
    { verbs: ['get'] },
    { verbs: ['list'] },
    { verbs: ['watch'] },
  ]);
});
