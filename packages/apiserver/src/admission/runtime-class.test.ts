/** RuntimeClasses of Pods, asked of a server: what becomes the Pod's, and what is refused. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KubeClient, type Resource, resources } from '@podvisor/kube';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import type { JsonObject } from '../wire/json.ts';

const runtimeClasses: Resource<JsonObject & { metadata?: { name?: string } }> = {
  group: 'node.k8s.io',
  version: 'v1',
  plural: 'runtimeclasses',
  kind: 'RuntimeClass',
  namespaced: false,
};

let home: TestServer;
let client: KubeClient;

before(async () => {
  home = await startTestServer();
  const { server, ca, admin } = home;
  client = KubeClient.fromAccess({
    server: server.url,
    ca: ca.certificate,
    certificate: admin.certificate,
    key: admin.key,
  });
  await client.create(resources.serviceAccounts, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'sa', namespace: 'default' },
  });
  await client.create(runtimeClasses, {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'slow' },
    handler: 'slow',
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { kind: 'slow' }, tolerations: [{ key: 'slow', operator: 'Exists' }] },
  });
});
after(async () => {
  await client.close();
  await home[Symbol.asyncDispose]();
});

const create = (name: string, spec: JsonObject) =>
  client.create(resources.pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { serviceAccountName: 'sa', containers: [{ name: 'c', image: 'i' }], ...spec },
  });

test('overhead, nodes and tolerations of the class become the Pod’s', async () => {
  const { spec } = await create('a', { runtimeClassName: 'slow', nodeSelector: { own: 'x' } });
  assert.deepEqual(spec.nodeSelector, { own: 'x', kind: 'slow' });
  assert.ok(spec.tolerations?.some(({ key }) => key === 'slow'));
  assert.deepEqual((spec as unknown as JsonObject)['overhead'], { cpu: '100m' });
});

const REFUSED: readonly (readonly [string, JsonObject, string])[] = [
  ['a class that is not there', { runtimeClassName: 'fast' }, 'pod rejected: RuntimeClass "fast" not found'],
  [
    'another overhead',
    { runtimeClassName: 'slow', overhead: { cpu: '1' } },
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  ],
  [
    'an overhead without a class',
    { overhead: { cpu: '1' } },
    'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  ],
  [
    'other nodes',
    { runtimeClassName: 'slow', nodeSelector: { kind: 'fast' } },
    'conflict: runtimeClass.scheduling.nodeSelector[kind] = slow; pod.spec.nodeSelector[kind] = fast',
  ],
];
for (const [what, spec, why] of REFUSED)
  test(`refused: ${what}`, () =>
    assert.rejects(create('b', spec), { code: 403, message: `pods "b" is forbidden: ${why}` }));
