/**
 * N against 4N, at the API server: for every list and map of built-in kinds an object with very many entries there is
 * created, and objects with long lists are changed in every way that there is. A type that stands in several kinds, as
 * a Pod's spec does, is looked at in the first of them.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { adminRequest } from '../../../packages/apiserver/src/testing/admin-request.ts';
import { startTestServer, type TestServer } from '../../../packages/apiserver/src/testing/test-server.ts';
import { builtInKinds } from './built-in-kinds.ts';
import { growthProblem } from './measure.ts';
import { placesOf } from './places.ts';
import { type Entries, sizedObject } from './sized-object.ts';

const ENTRIES: readonly Entries[] = ['apart', 'alike'];
const ONLY = process.env['PODVISOR_GROWTH_ONLY'];
/** As many entries as come to this size; not so few that pairs of them cost nothing, nor more than shows what they cost. */
const BODY_BYTES = 128 * 1024;
const [FEWEST, MOST] = [800, 5_000];
/** A body may be twenty times as large as these, and take hundreds of times as long. */
const HARMLESS_MS = 50;

let home: TestServer;
before(async () => {
  home = await startTestServer();
  const account = JSON.stringify({ metadata: { name: 'default' } });
  await adminRequest(home, 'POST', '/api/v1/namespaces/default/serviceaccounts', { body: account });
});
after(() => home[Symbol.asyncDispose]());

test('N against 4N in new objects of built-in kinds', async () => {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { name: kind, path, schema, components } of await builtInKinds(home))
    for (const place of placesOf(schema, components)) {
      const name = `${kind} ${place.path.join('.')}`;
      const type = `${place.path.slice(-2).join('.')} ${JSON.stringify(place.entry)}`;
      if (place.path[0] === 'status' || seen.has(type) || !new RegExp(ONLY ?? '').test(name)) continue;
      seen.add(type);
      for (const entries of ENTRIES) {
        const bodyOf = (count: number): string =>
          JSON.stringify(sizedObject({ metadata: { name: 'long' } }, place, count, entries, components));
        const bytesEach = bodyOf(100).length / 100;
        const large = 4 * Math.floor(Math.min(MOST, Math.max(FEWEST, BODY_BYTES / bytesEach)) / 4);
        const send = (count: number): Promise<unknown> =>
          adminRequest(home, 'POST', `${path}?dryRun=All`, { body: bodyOf(count) });
        const problem = await growthProblem(send, large, HARMLESS_MS);
        if (problem !== undefined) problems.push(`${name}, entries ${entries}: ${problem}`);
      }
    }
  assert.ok(ONLY !== undefined || seen.size > 200, `${seen.size} places`);
  assert.deepEqual(problems, []);
});

/** An object with as many entries, and a change that names each of them. */
interface Change {
  readonly path: string;
  readonly type: { readonly apiVersion: string; readonly kind: string };
  readonly object: (count: number) => object;
}

const many = <T>(count: number, one: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => one(i));
const keyed = (count: number): object => Object.fromEntries(many(count, (i) => [`k${i}`, `v${i}`]));
const container = (count: number): object => ({
  name: 'c',
  image: 'i',
  env: many(count, (i) => ({ name: `E${i}`, value: `${i}` })),
  ports: many(count, (i) => ({ name: `p${i}`, containerPort: 1 + i })),
});
const selector = { matchLabels: { a: 'b' } };
const CHANGED: Readonly<Record<string, Change>> = {
  'a map': {
    path: '/api/v1/namespaces/default/configmaps',
    type: { apiVersion: 'v1', kind: 'ConfigMap' },
    object: (count) => ({ data: keyed(count) }),
  },
  'lists by key': {
    path: '/apis/apps/v1/namespaces/default/deployments',
    type: { apiVersion: 'apps/v1', kind: 'Deployment' },
    object: (count) => ({
      spec: {
        selector,
        template: { metadata: { labels: selector.matchLabels }, spec: { containers: [container(count)] } },
      },
    }),
  },
  'a list by two keys': {
    path: '/api/v1/namespaces/default/services',
    type: { apiVersion: 'v1', kind: 'Service' },
    object: (count) => ({
      spec: { ports: many(count, (i) => ({ name: `p${i}`, port: 1 + i, protocol: 'TCP' })) },
    }),
  },
  'a set': {
    path: '/api/v1/namespaces/default/serviceaccounts',
    type: { apiVersion: 'v1', kind: 'ServiceAccount' },
    object: (count) => ({ metadata: { finalizers: many(count, (i) => `example.com/f${i}`) } }),
  },
  'a list that is one': {
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    type: { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    object: (count) => ({
      addressType: 'IPv4',
      endpoints: many(Math.min(count, 1_000), (i) => ({ addresses: [`10.0.${i >> 8}.${i & 255}`] })),
    }),
  },
};
const WAYS: Readonly<Record<string, string>> = {
  replaced: 'application/json',
  'merge patch': 'application/merge-patch+json',
  'strategic merge patch': 'application/strategic-merge-patch+json',
  'server-side apply': 'application/apply-patch+yaml',
};

for (const [what, { path, type, object }] of Object.entries(CHANGED))
  test(`N against 4N when ${what} is changed`, async () => {
    const large = 4_000;
    const problems: string[] = [];
    const body = (count: number): object => {
      const made = object(count) as Record<string, object>;
      return { ...type, ...made, metadata: { ...made['metadata'], name: `c${count}` } };
    };
    for (const count of [large, large / 4]) {
      const made = await adminRequest(home, 'POST', path, { body: JSON.stringify(body(count)) });
      assert.equal(made.code, 201, JSON.stringify(made.body).slice(0, 400));
    }
    for (const [way, mediaType] of Object.entries(WAYS)) {
      const send = async (count: number): Promise<void> => {
        const method = way === 'replaced' ? 'PUT' : 'PATCH';
        const query = way === 'server-side apply' ? 'dryRun=All&fieldManager=other&force=true' : 'dryRun=All';
        const { code, body: answer } = await adminRequest(home, method, `${path}/c${count}?${query}`, {
          body: JSON.stringify(body(count)),
          type: mediaType,
        });
        assert.equal(code, 200, JSON.stringify(answer).slice(0, 400));
      };
      const problem = await growthProblem(send, large, HARMLESS_MS);
      if (problem !== undefined) problems.push(`${way}: ${problem}`);
    }
    assert.deepEqual(problems, []);
  });
