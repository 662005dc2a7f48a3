import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, PodSpec } from '@podvisor/api';
import { container, testPod } from '../testing/observed.ts';
import { userNamespaceRefusal, userNamespaceNeed } from './wanted.ts';

const LAUNCHER = { labels: { 'kubevirt.io': 'virt-launcher' } };

function pod(spec: Partial<PodSpec>, metadata: Partial<Pod['metadata']> = {}): Pod {
  const plain = testPod(spec);
  return { ...plain, metadata: { ...plain.metadata, ...metadata } };
}

test('who asks must get one, a launcher should, others have none', () => {
  assert.equal(userNamespaceNeed(pod({ hostUsers: false })), 'required');
  assert.equal(userNamespaceNeed(pod({})), 'none');
  assert.equal(userNamespaceNeed(pod({}, LAUNCHER)), 'preferred');
  assert.equal(userNamespaceNeed(pod({ hostUsers: false }, LAUNCHER)), 'required');
  assert.equal(userNamespaceNeed(pod({ hostUsers: true }, LAUNCHER)), 'none');
});

const MEETING_STRANGERS: readonly Readonly<Record<string, string>>[] = [
  { 'kubevirt.io': 'virt-launcher' },
  { 'kubevirt.io': 'virt-export' },
  { 'kubevirt.io': 'lease-watch' },
  { app: 'containerized-data-importer', 'cdi.kubevirt.io': 'importer' },
  { app: 'containerized-data-importer', 'cdi.kubevirt.io': 'cdi-upload-server' },
];

test('so should what imports, exports, takes uploads and watches a lease, and a launcher of any image', () => {
  for (const labels of MEETING_STRANGERS) assert.equal(userNamespaceNeed(pod({}, { labels })), 'preferred');
  assert.equal(userNamespaceNeed(pod({}, { labels: { 'kubevirt.io': 'hotplug-disk' } })), 'none');
});

const privileged = { containers: [container('main', { securityContext: { privileged: true } })] };
for (const [what, spec] of Object.entries({
  'hostNetwork: true': { hostNetwork: true },
  'hostPID: true': { hostPID: true },
  'hostIPC: true': { hostIPC: true },
  'the privileged container main': privileged,
}))
  test(`a user namespace does not go with ${what}`, () => {
    assert.equal(userNamespaceNeed(pod(spec, LAUNCHER)), 'none');
    assert.equal(userNamespaceRefusal(pod(spec)), undefined);
    const refused = userNamespaceRefusal(pod({ ...spec, hostUsers: false }));
    assert.equal(refused?.reason, 'UserNamespacesNotSupported');
    assert.ok(refused?.message.endsWith(what), refused?.message);
  });
