import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnerReference, Pod } from '@podvisor/api';
import { requireUid } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { FakeApi } from '../testing/fake-api.ts';
import { POD_UID, vmiOf } from '../testing/objects.ts';
import { attachmentPodsOf } from './attachment-pod.ts';

const UID = requireUid('00000000-0000-4000-8000-000000000201');
const launcher = { name: 'virt-launcher-web-abcde', uid: POD_UID };
const owner: OwnerReference = { apiVersion: 'v1', kind: 'Pod', ...launcher, controller: true };

function attachment(changes: Partial<Pod['metadata']> = {}, nodeName = 'n1'): Pod {
  return {
    metadata: {
      namespace: 'shop',
      name: 'hp-volume',
      uid: UID,
      labels: { 'kubevirt.io': 'hotplug-disk' },
      ownerReferences: [owner],
      ...changes,
    },
    spec: { nodeName, containers: [] },
  };
}

async function found(pod: Pod): Promise<readonly string[]> {
  const client = new FakeApi();
  client.put(resources.pods, pod);
  return [...(await attachmentPodsOf(vmiOf({}), launcher, { client, nodeName: 'n1' }))];
}

test('the attachment Pod of the launcher holds claims for it', async () => {
  assert.deepEqual(await found(attachment()), [UID]);
});

const others: readonly (readonly [string, Pod])[] = [
  ['of another namespace', attachment({ namespace: 'bank' })],
  ['of another launcher', attachment({ ownerReferences: [{ ...owner, uid: UID }] })],
  [
    'of a launcher of another name',
    attachment({ ownerReferences: [{ ...owner, name: 'virt-launcher-db' }] }),
  ],
  ['that is owned, but not managed', attachment({ ownerReferences: [{ ...owner, controller: false }] })],
  ['of something else with that UID', attachment({ ownerReferences: [{ ...owner, kind: 'ConfigMap' }] })],
  ['that is no attachment Pod', attachment({ labels: { 'kubevirt.io': 'virt-launcher' } })],
  ['on another node', attachment({}, 'n2')],
];
for (const [what, pod] of others)
  test(`CVE-2024-1725: a Pod ${what} holds claims for somebody else`, async () => {
    assert.deepEqual(await found(pod), []);
  });
