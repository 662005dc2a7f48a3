import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createCa, fixedCredentials, issueCertificate, KubeClient, resources } from '@podvisor/kube';
import { startTestServer, type TestServer } from './testing/test-server.ts';

/** Each time anew: the file is loaded with others of its package, long before its tests may begin. */
const prompt = (): AbortSignal => AbortSignal.timeout(20_000);
let running: TestServer;

before(async () => {
  running = await startTestServer();
});
after(() => running[Symbol.asyncDispose]());

function clientOf(certificate: string): KubeClient {
  const dial = running.server.admit(certificate);
  return new KubeClient({ credentials: fixedCredentials({ server: 'http://in-process' }), dial });
}

test('who comes in is who the certificate says', async () => {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
  const headers = { 'content-type': 'application/json' };
  const admin = clientOf(running.admin.certificate);
  const review = await admin.request<{ status: { userInfo: { username: string; groups: string[] } } }>(
    { method: 'POST', path, body, headers },
    prompt(),
  );
  assert.equal(review.status.userInfo.username, 'admin');
  assert.deepEqual(review.status.userInfo.groups, ['system:masters', 'system:authenticated']);
  const now = systemClock.now();
  const nobody = issueCertificate(running.ca, { commonName: 'nobody', usages: ['client'], now });
  await assert.rejects(clientOf(nobody.certificate).list(resources.pods, {}, prompt()), {
    reason: 'Forbidden',
    message: /User "nobody" cannot list resource "pods"/,
  });
});

test('a certificate of another CA opens nothing', () => {
  const now = systemClock.now();
  const other = issueCertificate(createCa({ commonName: 'test-ca', now }), {
    commonName: 'admin',
    organizations: ['system:masters'],
    usages: ['client'],
    now,
  });
  assert.throws(() => running.server.admit(other.certificate), { reason: 'Unauthorized' });
});

test('large answers come whole, many requests side by side', async () => {
  const client = clientOf(running.admin.certificate);
  const text = 'x'.repeat(100_000);
  const names = Array.from({ length: 24 }, (_, number) => `large-${number}`);
  await Promise.all(
    names.map((name) =>
      client.create(
        resources.configMaps,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name }, data: { text } },
        {},
        prompt(),
      ),
    ),
  );
  const lists = await Promise.all(
    [1, 2].map(() => client.list(resources.configMaps, { namespace: 'default' }, prompt())),
  );
  for (const { items } of lists)
    assert.equal(items.filter(({ data }) => data?.['text'] === text).length, names.length);
});

test('a watch that is given up ends at the server, and the server ends those that are not', async () => {
  const own = await startTestServer();
  const dial = own.server.admit(own.admin.certificate);
  const ends: Promise<void>[] = [];
  const client = new KubeClient({
    credentials: fixedCredentials({ server: 'http://in-process' }),
    dial: () => {
      const pipe = dial();
      ends.push(new Promise((resolve) => pipe.once('close', () => resolve())));
      return pipe;
    },
  });
  const abort = new AbortController();
  const watches = [abort.signal, new AbortController().signal].map((signal) =>
    client
      .watch(
        resources.namespaces,
        { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true },
        signal,
      )
      [Symbol.asyncIterator](),
  );
  for (const watch of watches) assert.equal((await watch.next()).value?.type, 'ADDED');
  assert.equal(ends.length, 2);
  abort.abort();
  await ends[0];
  await own[Symbol.asyncDispose]();
  await ends[1];
});

test('who is inside is answered before the port is open, and may keep it closed for so long', async () => {
  const seen: string[] = [];
  const log = {
    info: (_fields: object, message: string) => void seen.push(message),
    warn: () => undefined,
    error: () => undefined,
  };
  await using started = await startTestServer({
    overrides: {
      log,
      beforeListening: async (inside) => {
        const dial = inside.admitAccount('kube-system', 'anybody');
        const client = new KubeClient({
          credentials: fixedCredentials({ server: 'http://in-process' }),
          dial,
        });
        await assert.rejects(client.list(resources.pods, {}, prompt()), { reason: 'Forbidden' });
        await client.close();
        seen.push('installed');
      },
    },
  });
  assert.ok(started.server.port > 0);
  assert.deepEqual(seen, ['installed', 'API server listens']);
});
