import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from './component-rights.ts';
import { operatorClusterRules, operatorOwnRules } from './operator-rights.ts';
import { rbacObjects } from './rbac.ts';
import { resourceOf } from './resource-of.ts';
import { installStrategy } from './strategy.ts';

const may = (rules: readonly PolicyRule[], group: string, resource: string, verb: string): boolean =>
  rules.some(
    ({ apiGroups, resources, verbs }) =>
      apiGroups.includes(group) && resources.includes(resource) && verbs.includes(verb),
  );

test('virt-operator may write everything that it installs', () => {
  const objects = installStrategy({
    namespace: 'kubevirt',
    caBundle: '',
    dataVolumes: 'filled',
    components: {
      kind: 'pods',
      registry: 'r',
      tag: 't',
      pullPolicy: 'Always',
      pullSecrets: [],
      replicas: 2,
      infraPlacement: {},
      workloadPlacement: {},
      webPage: true,
      userNamespaces: false,
      flags: {},
      monitoring: {
        namespace: 'kubevirt',
        account: { name: 'p', namespace: 'm' },
        kinds: ['ServiceMonitor', 'PrometheusRule'],
      },
    },
  });
  const rules = [...operatorClusterRules(), ...operatorOwnRules()];
  for (const object of objects) {
    const { group, plural } = resourceOf(object);
    for (const verb of ['get', 'list', 'watch', 'create', 'patch', 'delete'])
      assert.ok(may(rules, group, plural, verb), `${verb} ${plural}.${group}`);
  }
});

test('virt-operator has everything that it grants, and no wildcard', () => {
  const own = operatorClusterRules();
  for (const object of rbacObjects('kubevirt', true).filter(({ kind }) => kind === 'ClusterRole'))
    for (const { apiGroups, resources, verbs } of (object as unknown as { rules: PolicyRule[] }).rules)
      for (const group of apiGroups)
        for (const resource of resources)
          for (const verb of verbs)
            assert.ok(may(own, group, resource, verb), `${verb} ${resource}.${group}`);
  assert.ok(!JSON.stringify([own, operatorOwnRules()]).includes('"*"'));
});

test('Secrets of other namespaces are out of reach, but for creating those of exports', () => {
  for (const verb of ['get', 'list', 'watch', 'patch', 'delete'])
    assert.ok(!may(operatorClusterRules(), '', 'secrets', verb), verb);
});
