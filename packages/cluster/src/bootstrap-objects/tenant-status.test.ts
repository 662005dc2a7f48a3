/**
 * Status is never a tenant's, for every kind that the home serves and every role that a tenant can have; the kinds of
 * kubevirt.io are looked at field by field in `@podvisor/api`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { rbacObjects } from '@podvisor/virt-operator';

const config = { name: 't', apiPort: 1, virtApiPort: 2, podCidr: '10.0.0.0/16', bridge: 'b', nodes: [] };

interface Crd {
  readonly kind?: string;
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly subresources?: { readonly status?: object };
      readonly schema: {
        readonly openAPIV3Schema: { readonly properties?: Readonly<Record<string, Status>> };
      };
    }[];
  };
}
interface Status {
  readonly properties?: object;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

test('every kind that has something in its status has a status subresource; the VMI has its webhook', () => {
  const objects = JSON.parse(
    JSON.stringify(bootstrapObjects(config, { kubevirtCa: 'b', kvmUsable: false })),
  ) as readonly Crd[];
  const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const unguarded = crds.flatMap(({ spec }) =>
    spec.versions
      .filter(({ schema, subresources }) => {
        const status = schema.openAPIV3Schema.properties?.['status'];
        const isOpen = status?.['x-kubernetes-preserve-unknown-fields'] === true;
        return (isOpen || status?.properties !== undefined) && subresources?.status === undefined;
      })
      .map(() => spec.names.kind),
  );
  assert.ok(crds.length > 20);
  assert.deepEqual([...new Set(unguarded)], ['VirtualMachineInstance']);
});

test('no role of a tenant may write a status', () => {
  const objects = JSON.parse(JSON.stringify(rbacObjects('kubevirt', true))) as readonly {
    readonly kind?: string;
    readonly metadata: { readonly name: string };
    readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
  }[];
  const roles = objects.filter(
    ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name.includes('kubevirt.io:'),
  );
  assert.ok(roles.length >= 4, roles.map(({ metadata }) => metadata.name).join());
  for (const { metadata, rules = [] } of roles)
    for (const { resources, verbs } of rules)
      for (const resource of resources) {
        const writes = verbs.some((verb) => !['get', 'list', 'watch'].includes(verb));
        assert.ok(!writes || !/^\*|\/(status|\*)$/.test(resource), `${metadata.name}: ${resource}`);
      }
});
