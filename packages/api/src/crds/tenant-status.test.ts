/**
 * Status is never a tenant's, for every kind and every field that its schema knows. A kind with a status subresource
 * is guarded by the API server, which drops a status on create and update; a kind without one must be guarded by our
 * mutating webhooks. The kinds and the fields come from the definitions: a new one is checked without being listed.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterConfig } from '../config/cluster-config.ts';
import { defaultVmi, defaultVmiUpdate } from '../defaults/vmi/index.ts';
import { sampleOf } from '../testing/sample-object.ts';
import type { VirtualMachineInstance } from '../types/index.ts';
import { webhookMatchConditions } from '../admission/match-conditions.ts';
import { webhooks } from '../admission/webhooks.ts';
import { crds } from './crds.ts';
import type { JSONSchemaProps } from './schema.ts';

const context = { config: clusterConfig(), now: '2026-01-01T00:00:00Z', newUuid: () => 'uuid' };
const bare: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'v', namespace: 'a' },
  spec: { domain: { devices: {}, memory: { guest: '64Mi' } } },
};

/** Fields that a schema does not name are pruned, unless it says otherwise. */
function canHoldSomething(status: JSONSchemaProps | undefined): boolean {
  if (status === undefined) return false;
  const isOpen = status['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen || status.additionalProperties !== undefined || status.properties !== undefined;
}

const withStatus = crds.flatMap(({ spec }) =>
  spec.versions
    .filter(({ schema }) => canHoldSomething(schema.openAPIV3Schema.properties?.['status']))
    .map((version) => ({ kind: spec.names.kind, group: spec.group, plural: spec.names.plural, version })),
);
const unguarded = withStatus.filter(({ version }) => version.subresources?.status === undefined);

test('the only kind with a status and without its subresource is the one whose defaults drop it', () => {
  assert.ok(withStatus.length > 20, 'there are kinds to look at');
  assert.deepEqual([...new Set(unguarded.map(({ kind }) => kind))], ['VirtualMachineInstance']);
});

test('our webhooks see every create and update of such a kind by a tenant, and no answer means no', () => {
  for (const { group, plural, version } of unguarded)
    for (const operation of ['CREATE', 'UPDATE'] as const) {
      const entry = webhooks.find(
        ({ type, rules }) =>
          type === 'Mutating' &&
          rules.some(
            (rule) =>
              rule.apiGroups.includes(group) &&
              rule.apiVersions.includes(version.name) &&
              rule.operations.includes(operation) &&
              rule.resources.includes(plural),
          ),
      );
      assert.equal(entry?.failurePolicy, 'Fail', `${operation} of ${plural} ${version.name}`);
      assert.equal(entry.matchLabels, undefined, 'a tenant could leave the labels away');
      const conditions = webhookMatchConditions(entry, 'kubevirt').map(({ expression }) => expression);
      if (operation === 'CREATE') assert.deepEqual(conditions, []);
    }
});

describe('each field of the status of a VMI', () => {
  const schema = unguarded[0]?.version.schema.openAPIV3Schema.properties?.['status'] ?? {};
  const born = defaultVmi(bare, context).status;
  const fields = Object.entries(schema.properties ?? {});
  assert.ok(fields.length > 20, 'there are fields to look at');
  for (const [field, property] of fields) {
    const forged = { [field]: sampleOf(property) } as VirtualMachineInstance['status'];
    test(`${field} is not taken from who creates the VMI`, () => {
      assert.deepEqual(defaultVmi({ ...bare, status: forged }, context).status, born);
    });
    test(`${field} is not taken from who changes the VMI`, () => {
      const old = { ...bare, status: { phase: 'Running' } };
      const changed = { ...bare, status: { ...old.status, ...forged } };
      assert.deepEqual(defaultVmiUpdate(changed, old, false).status, old.status);
      assert.deepEqual(defaultVmiUpdate({ ...bare, status: forged }, bare, false).status, undefined);
    });
  }
});

test('virt-controller tells the revision that a VMI was made from, and nobody else does', () => {
  const vmi = { ...bare, status: { virtualMachineRevisionName: 'revision-1' } };
  const ours = defaultVmi(vmi, { ...context, isController: true });
  assert.equal(ours.status?.virtualMachineRevisionName, 'revision-1');
  assert.equal(defaultVmi(vmi, context).status?.virtualMachineRevisionName, undefined);
});
