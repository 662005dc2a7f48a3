import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnerReference, Pod } from '../../types/index.ts';
import { validatePodIdentity } from './pod-identity.ts';

const UID = '6b1f0b0e-1111-4222-8333-444455556666';
const vmi: OwnerReference = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  name: 'web',
  uid: UID,
  controller: true,
};
const pod = (labels?: Record<string, string>, ownerReferences?: readonly OwnerReference[]): Pod => ({
  metadata: { name: 'p', namespace: 'shop', labels, ownerReferences },
  spec: { containers: [] },
});
const launcher = pod({ 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': UID, app: 'web' }, [vmi]);

const forged: readonly [string, Pod][] = [
  ['the label of launchers', pod({ 'kubevirt.io': 'virt-launcher' })],
  ['the label of attachment Pods', pod({ 'kubevirt.io': 'hotplug-disk' })],
  ['the VMI that it was made for', pod({ 'kubevirt.io/created-by': UID })],
  ['a migration', pod({ 'kubevirt.io/migrationJobUID': UID })],
  ['the label of exporters', pod({ 'kubevirt.io': 'virt-export' })],
  [
    'an export as its owner',
    pod({}, [{ ...vmi, apiVersion: 'export.kubevirt.io/v1', kind: 'VirtualMachineExport' }]),
  ],
  ['a VMI as its owner', pod({}, [vmi])],
  ['a VMI of any version as one of its owners', pod({}, [{ ...vmi, apiVersion: 'x/v9', controller: false }])],
  ['all of it', launcher],
];
for (const [what, object] of forged)
  test(`CVE-2025-64435: a Pod with ${what} is not a tenant's to make, nor to turn another into`, () => {
    for (const old of [undefined, pod()]) {
      const { allowed, code } = validatePodIdentity(object, old, false);
      assert.deepEqual([allowed, code], [false, 403]);
      assert.ok(validatePodIdentity(object, old, true).allowed);
    }
    assert.equal(validatePodIdentity(pod(), object, false).allowed, false, 'what it is cannot be taken away');
  });

test('Pods of others are nobody of ours to judge', () => {
  const owner = { ...vmi, apiVersion: 'apps/v1', kind: 'ReplicaSet' };
  assert.ok(
    validatePodIdentity(pod({ app: 'web', 'kubevirt.io': 'virt-api' }, [owner]), undefined, false).allowed,
  );
  assert.ok(validatePodIdentity(pod({ app: 'db' }), pod({ app: 'web' }, [owner]), false).allowed);
});

test('whoever may change a launcher Pod changes anything but what it is', () => {
  const labelled = {
    ...launcher,
    metadata: { ...launcher.metadata, labels: { ...launcher.metadata.labels, app: 'db' } },
  };
  assert.ok(validatePodIdentity(labelled, launcher, false).allowed);
  const another: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: UID };
  const adopted = { ...launcher, metadata: { ...launcher.metadata, ownerReferences: [vmi, another] } };
  assert.equal(validatePodIdentity(adopted, launcher, false).allowed, false);
});
