import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rbacObjects } from './rbac.ts';

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

const roles = (JSON.parse(JSON.stringify(rbacObjects('kubevirt', true))) as Role[]).filter(
  ({ kind }) => kind === 'ClusterRole',
);

function allows(role: string, group: string, resource: string, verb: string): boolean {
  const fits = (list: readonly string[], value: string): boolean =>
    list.includes('*') || list.includes(value);
  const rules = roles.find(({ metadata }) => metadata.name === role)?.rules ?? [];
  return rules.some(
    ({ apiGroups, resources, verbs }) =>
      fits(apiGroups, group) && fits(resources, resource) && fits(verbs, verb),
  );
}

test('no component reads Secrets', () => {
  for (const component of ['kubevirt-apiserver', 'kubevirt-controller', 'kubevirt-handler']) {
    for (const verb of ['get', 'list', 'watch', 'update', 'patch', 'delete'])
      assert.ok(!allows(component, '', 'secrets', verb), `${component} ${verb}`);
  }
  // virt-controller makes the key and the token of an export, which only the export's Pod then reads.
  for (const component of ['kubevirt-apiserver', 'kubevirt-handler'])
    assert.ok(!allows(component, '', 'secrets', 'create'), component);
});

const cases: readonly [string, string, string, string, boolean][] = [
  ['kubevirt.io:view', 'kubevirt.io', 'virtualmachines', 'list', true],
  ['kubevirt.io:view', 'kubevirt.io', 'virtualmachines', 'create', false],
  ['kubevirt.io:view', 'subresources.kubevirt.io', 'virtualmachineinstances/console', 'get', false],
  ['kubevirt.io:view', 'subresources.kubevirt.io', 'virtualmachineinstances/guestosinfo', 'get', true],
  ['kubevirt.io:edit', 'subresources.kubevirt.io', 'virtualmachineinstances/console', 'get', true],
  ['kubevirt.io:edit', 'subresources.kubevirt.io', 'virtualmachines/start', 'update', true],
  ['kubevirt.io:edit', 'migrations.kubevirt.io', 'migrationpolicies', 'create', false],
  ['kubevirt.io:default', 'subresources.kubevirt.io', 'version', 'get', true],
  ['kubevirt.io:edit', 'kubevirt.io', 'kubevirts', 'update', false],
  ['kubevirt.io:edit', 'kubevirt.io', 'virtualmachineinstancereplicasets/scale', 'update', true],
  ['kubevirt.io:edit', 'kubevirt.io', 'virtualmachines', 'deletecollection', false],
  ['kubevirt.io:admin', 'kubevirt.io', 'virtualmachines', 'deletecollection', true],
  ['kubevirt.io:admin', 'subresources.kubevirt.io', 'virtualmachines/migrate', 'update', false],
  ['kubevirt.io:admin', 'kubevirt.io', 'virtualmachineinstancemigrations', 'create', false],
  ['kubevirt.io:migrate', 'subresources.kubevirt.io', 'virtualmachines/migrate', 'update', true],
  ['kubevirt.io:migrate', 'kubevirt.io', 'virtualmachineinstancemigrations', 'create', true],
  ['kubevirt-handler', 'kubevirt.io', 'virtualmachines', 'update', false],
  ['kubevirt-handler', 'kubevirt.io', 'virtualmachineinstances', 'update', true],
  ['kubevirt-handler', '', 'pods', 'delete', false],
  ['kubevirt-apiserver', '', 'pods', 'create', false],
];

for (const [role, group, resource, verb, expected] of cases) {
  test(`${role} ${expected ? 'may' : 'may not'} ${verb} ${resource}`, () =>
    assert.equal(allows(role, group, resource, verb), expected));
}

test('user roles reach users through admin, edit and view', () => {
  for (const name of ['admin', 'edit', 'view']) {
    const role = roles.find(({ metadata }) => metadata.name === `kubevirt.io:${name}`);
    assert.equal(role?.metadata.labels[`rbac.authorization.k8s.io/aggregate-to-${name}`], 'true');
  }
});
