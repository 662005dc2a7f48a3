import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isStatus } from '@podvisor/base';
import { fixedCredentials, issueCertificate, KubeClient, resources } from '@podvisor/kube';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

/** A cluster with a Pod of tenant `a` on node one and one of tenant `b` on node two, each with a Secret and more. */
let home: TestServer;
let admin: KubeClient;
let one: KubeClient;
const clients: KubeClient[] = [];

function clientOf(commonName: string, organizations: readonly string[], of: TestServer = home): KubeClient {
  const pair = issueCertificate(of.ca, { commonName, organizations, usages: ['client'], now: Date.now() });
  const { url: server } = of.server;
  const credentials = fixedCredentials({
    server,
    ca: of.ca.certificate,
    certificate: pair.certificate,
    key: pair.key,
  });
  const client = new KubeClient({ credentials, userAgent: 'test' });
  clients.push(client);
  return client;
}

const pod = (namespace: string, nodeName: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace, labels: { 'kubevirt.io/created-by': `vmi-${namespace}` } },
  spec: {
    nodeName,
    containers: [
      { name: 'c', image: 'i', env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'env', key: 'k' } } }] },
    ],
    imagePullSecrets: [{ name: 'pull' }],
    volumes: [
      { name: 's', secret: { secretName: 'volume' } },
      { name: 'c', configMap: { name: 'settings' } },
      { name: 'd', persistentVolumeClaim: { claimName: 'disk' } },
    ],
  },
});

before(async () => {
  home = await startTestServer();
  admin = clientOf('admin', ['system:masters']);
  one = clientOf('system:node:one', ['system:nodes']);
  for (const name of ['one', 'two']) await admin.create(resources.nodes, { metadata: { name } });
  for (const [namespace, node] of [
    ['a', 'one'],
    ['b', 'two'],
  ] as const) {
    await admin.create(resources.namespaces, { metadata: { name: namespace } });
    await admin.create(resources.serviceAccounts, { metadata: { name: 'default', namespace } });
    for (const name of ['volume', 'env', 'pull', 'other'])
      await admin.create(resources.secrets, { metadata: { name, namespace } });
    await admin.create(resources.configMaps, { metadata: { name: 'settings', namespace } });
    await admin.create(resources.persistentVolumeClaims, {
      metadata: { name: 'disk', namespace },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await admin.request({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/pods`,
      body: JSON.stringify(pod(namespace, node)),
    });
  }
});
after(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await home[Symbol.asyncDispose]();
});

async function isForbidden(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (!isStatus(error, 'Forbidden')) throw error;
    return true;
  }
}
const get = (path: string, client = one): Promise<unknown> => client.request({ method: 'GET', path });
const send = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body: object): Promise<unknown> =>
  one.request({
    method,
    path,
    body: JSON.stringify(body),
    ...(method === 'PATCH' ? { headers: { 'content-type': 'application/merge-patch+json' } } : {}),
  });

test('a kubelet reads its own Node and Pods, and what they name; nothing else', async () => {
  const allowed = [
    '/api/v1/nodes/one',
    '/api/v1/nodes?fieldSelector=metadata.name%3Done',
    '/api/v1/pods?fieldSelector=spec.nodeName%3Done',
    '/api/v1/namespaces/a/pods/p',
    '/api/v1/namespaces/a/pods?labelSelector=kubevirt.io%2Fcreated-by%3Dvmi-a',
    '/api/v1/namespaces/a/secrets/volume',
    '/api/v1/namespaces/a/secrets/env',
    '/api/v1/namespaces/a/secrets/pull',
    '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dvolume',
    '/api/v1/namespaces/a/configmaps/settings',
    '/api/v1/namespaces/a/persistentvolumeclaims/disk',
    '/api/v1/services',
  ];
  for (const path of allowed) assert.equal(await isForbidden(get(path)), false, path);
  const refused = [
    '/api/v1/nodes',
    '/api/v1/nodes/two',
    '/api/v1/pods',
    '/api/v1/pods?fieldSelector=spec.nodeName%3Dtwo',
    '/api/v1/pods?fieldSelector=spec.nodeName%21%3Done',
    '/api/v1/namespaces/b/pods/p',
    '/api/v1/namespaces/b/pods?labelSelector=kubevirt.io%2Fcreated-by%3Dvmi-b',
    '/api/v1/namespaces/a/pods?labelSelector=kubevirt.io%2Fcreated-by%21%3Dvmi-a',
    '/api/v1/secrets',
    '/api/v1/namespaces/a/secrets',
    '/api/v1/namespaces/a/secrets/other',
    '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dother',
    '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%21%3Dvolume',
    '/api/v1/secrets?fieldSelector=metadata.name%3Dvolume',
    '/api/v1/namespaces/b/secrets/volume',
    '/api/v1/namespaces/b/configmaps/settings',
    '/api/v1/namespaces/b/persistentvolumeclaims/disk',
    '/api/v1/namespaces/a/persistentvolumeclaims',
    '/apis/coordination.k8s.io/v1/leases',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ];
  for (const path of refused) assert.equal(await isForbidden(get(path)), true, path);
});

test('a Secret is no longer a kubelet’s when its Pod is gone', async () => {
  const body = { ...pod('a', 'one'), metadata: { name: 'short', namespace: 'a' } };
  const withOther = JSON.parse(JSON.stringify(body).replace('"volume"', '"other"')) as object;
  await admin.request({ method: 'POST', path: '/api/v1/namespaces/a/pods', body: JSON.stringify(withOther) });
  assert.equal(await isForbidden(get('/api/v1/namespaces/a/secrets/other')), false);
  await admin.request({ method: 'DELETE', path: '/api/v1/namespaces/a/pods/short?gracePeriodSeconds=0' });
  assert.equal(await isForbidden(get('/api/v1/namespaces/a/secrets/other')), true);
});

test('a kubelet writes its own Node, but no taints and no labels that others rely on, and no other Node', async () => {
  assert.equal(
    await isForbidden(
      send('PATCH', '/api/v1/nodes/one', {
        metadata: { labels: { 'kubernetes.io/arch': 'amd64', own: 'x' } },
      }),
    ),
    false,
  );
  assert.equal(
    await isForbidden(send('PATCH', '/api/v1/nodes/one/status', { status: { capacity: { cpu: '2' } } })),
    false,
  );
  const refused: readonly (readonly [string, object])[] = [
    ['/api/v1/nodes/two', { metadata: { labels: { own: 'x' } } }],
    ['/api/v1/nodes/two/status', { status: { capacity: { cpu: '2' } } }],
    ['/api/v1/nodes/one', { metadata: { labels: { 'node-restriction.kubernetes.io/trusted': 'yes' } } }],
    ['/api/v1/nodes/one', { metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } } }],
    ['/api/v1/nodes/one', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }],
  ];
  for (const [path, body] of refused)
    assert.equal(await isForbidden(send('PATCH', path, body)), true, JSON.stringify([path, body]));
  assert.equal(await isForbidden(send('POST', '/api/v1/nodes', { metadata: { name: 'three' } })), true);
  assert.equal(await isForbidden(send('DELETE', '/api/v1/nodes/two', {})), true);
});

test('a kubelet writes the status of its Pods, makes only mirrors, and evicts and deletes only its own', async () => {
  const running = { status: { phase: 'Running' } };
  assert.equal(await isForbidden(send('PATCH', '/api/v1/namespaces/a/pods/p/status', running)), false);
  const mirror = (nodeName: string, more: object = {}): object => ({
    metadata: { name: 'mirror', annotations: { 'kubernetes.io/config.mirror': 'x' } },
    spec: { nodeName, containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false, ...more },
  });
  const pods = '/api/v1/namespaces/a/pods';
  assert.equal(await isForbidden(send('POST', pods, mirror('one'))), false);
  const refused: readonly (readonly ['POST' | 'PATCH' | 'DELETE', string, object])[] = [
    ['PATCH', '/api/v1/namespaces/b/pods/p/status', running],
    ['PATCH', `${pods}/p/status`, { metadata: { labels: { app: 'other' } } }],
    ['PATCH', `${pods}/p`, { metadata: { labels: { app: 'other' } } }],
    ['POST', pods, { ...pod('a', 'one'), metadata: { name: 'own' } }],
    ['POST', pods, mirror('two')],
    ['POST', pods, mirror('one', { volumes: [{ name: 's', secret: { secretName: 'other' } }] })],
    ['DELETE', '/api/v1/namespaces/b/pods/p', {}],
    ['POST', '/api/v1/namespaces/b/pods/p/eviction', { metadata: { name: 'p' } }],
    ['POST', '/api/v1/namespaces/b/pods/p/binding', { target: { name: 'one' } }],
  ];
  for (const [method, path, body] of refused)
    assert.equal(await isForbidden(send(method, path, body)), true, JSON.stringify([method, path, body]));
});

test('a kubelet gets tokens of its Pods, bound to them, which name the node; and keeps only its own Lease', async () => {
  const { uid } = (await admin.get(resources.pods, { namespace: 'a', name: 'p' })).metadata;
  const path = (namespace: string): string => `/api/v1/namespaces/${namespace}/serviceaccounts/default/token`;
  const boundTo = (name: string, podUid: string | undefined): object => ({
    spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid: podUid } },
  });
  const answer = (await send('POST', path('a'), boundTo('p', uid))) as { status: { token: string } };
  const review = await admin.request<{ status: { user: { extra: Record<string, string[]> } } }>({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: JSON.stringify({ spec: { token: answer.status.token } }),
  });
  assert.deepEqual(review.status.user.extra['authentication.kubernetes.io/node-name'], ['one']);
  assert.equal(await isForbidden(send('POST', path('a'), {})), true, 'not bound');
  assert.equal(await isForbidden(send('POST', path('a'), boundTo('p', undefined))), true, 'no UID');
  const other = (await admin.get(resources.pods, { namespace: 'b', name: 'p' })).metadata.uid;
  assert.equal(await isForbidden(send('POST', path('b'), boundTo('p', other))), true, 'of another node');
  const lease = (name: string): object => ({ metadata: { name, namespace: 'kube-node-lease' } });
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
  assert.equal(await isForbidden(send('POST', leases, lease('one'))), false);
  assert.equal(await isForbidden(send('POST', leases, lease('two'))), true);
  assert.equal(
    await isForbidden(send('POST', leases.replace('kube-node-lease', 'a'), { metadata: { name: 'one' } })),
    true,
  );
});

test('a kubelet’s certificate of an older home, which says system:masters, is a kubelet’s', async () => {
  const old = clientOf('system:node:one', ['system:nodes', 'system:masters']);
  assert.equal(await isForbidden(get('/api/v1/secrets', old)), true);
  assert.equal(await isForbidden(get('/api/v1/namespaces/a/secrets/volume', old)), false);
});

test('a binding by which an older home let every node read everything is taken back at the next start', async () => {
  const role = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:node';
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-old-'));
  const subjects = {
    subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:nodes' }],
  };
  const started: TestServer[] = [];
  try {
    for (const expected of [undefined, undefined]) {
      const server = await startTestServer({ directory });
      started.push(server);
      const client = clientOf('admin', ['system:masters'], server);
      const found = await client.request<{ subjects?: unknown }>({ method: 'GET', path: role });
      assert.equal(found.subjects, expected);
      await client.request({
        method: 'PATCH',
        path: role,
        body: JSON.stringify(subjects),
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      await started.pop()?.[Symbol.asyncDispose]();
    }
  } finally {
    await started.pop()?.[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  }
});

test('the name of a node without the group is nobody, and the group without a name neither', async () => {
  for (const client of [clientOf('system:node:one', []), clientOf('eve', ['system:nodes'])])
    assert.equal(await isForbidden(get('/api/v1/namespaces/a/secrets/volume', client)), true);
});
