import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controllerOfKind, isControlledBy, isLauncherOf, ownerKinds } from './ownership.ts';
import type { OwnerReference, Pod, VirtualMachineInstance } from './types/index.ts';

const UID = '6b1f0b0e-1111-4222-8333-444455556666';
const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { namespace: 'shop', name: 'web', uid: UID },
  spec: { domain: { devices: {} } },
};
const reference: OwnerReference = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  name: 'web',
  uid: UID,
  controller: true,
};
function podWith(metadata: Partial<Pod['metadata']> = {}, owner: Partial<OwnerReference> = {}): Pod {
  return {
    metadata: {
      namespace: 'shop',
      name: 'p',
      labels: { 'kubevirt.io/created-by': UID },
      ownerReferences: [{ ...reference, ...owner }],
      ...metadata,
    },
    spec: { containers: [] },
  };
}

test('a launcher Pod names its VMI in every place', () => {
  assert.ok(isLauncherOf(podWith(), vmi));
  assert.ok(isLauncherOf(podWith({}, { apiVersion: 'kubevirt.io/v1alpha3' }), vmi), 'versions are one kind');
});

const forged: readonly (readonly [string, Pod])[] = [
  ['is in another namespace', podWith({ namespace: 'other' })],
  ['names another VMI', podWith({}, { name: 'db' })],
  ['names another UID', podWith({}, { uid: `${UID.slice(0, -1)}7` })],
  ['names a part of the UID', podWith({}, { uid: UID.slice(0, 5) })],
  ['names another kind', podWith({}, { kind: 'VirtualMachine' })],
  ['names another group', podWith({}, { apiVersion: 'evil.io/v1' })],
  ['names a group that begins alike', podWith({}, { apiVersion: 'kubevirt.io.evil/v1' })],
  ['is owned, but not managed', podWith({}, { controller: false })],
  ['lacks the label', podWith({ labels: {} })],
  ['has a label for another', podWith({ labels: { 'kubevirt.io/created-by': 'x' } })],
  ['has no owner', podWith({ ownerReferences: [] })],
];
for (const [why, pod] of forged)
  test(`a Pod is no launcher of the VMI that ${why}`, () => assert.equal(isLauncherOf(pod, vmi), false));

test('an owner without a UID owns nothing', () => {
  const nobody = { metadata: { namespace: 'shop', name: 'web' } };
  assert.equal(isControlledBy(podWith(), nobody, ownerKinds.vmi), false);
  assert.equal(controllerOfKind(podWith(), ownerKinds.pod), undefined);
});
