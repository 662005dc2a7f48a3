/**
 * Lists and texts that are as long as a body may be. Whoever may write in one namespace sends them, and the server answers
 * everybody else meanwhile: no rule looks at all entries for each, no error repeats a list for each of its entries, and
 * what cannot be given out is refused. Each of these once took minutes, all memory, or for ever.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { adminRequest, type Reply } from './testing/admin-request.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const PODS = '/api/v1/namespaces/default/pods';
const MANY = 8_000;

let home: TestServer;
before(async () => {
  home = await startTestServer();
  const account = JSON.stringify({ metadata: { name: 'default' } });
  await adminRequest(home, 'POST', '/api/v1/namespaces/default/serviceaccounts', { body: account });
});
after(() => home[Symbol.asyncDispose]());

const many = <T>(count: number, one: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => one(i));
const post = (path: string, spec: object): Promise<Reply> =>
  adminRequest(home, 'POST', `${path}?dryRun=All`, {
    body: JSON.stringify({ metadata: { name: 'long' }, spec }),
  });

test('more node ports than there are', async () => {
  const spec = { type: 'NodePort', ports: many(3_000, (i) => ({ name: `p${i}`, port: 1 + i })) };
  const { code, body } = await post(SERVICES, spec);
  assert.deepEqual(
    [code, body['message']],
    [500, 'Internal error occurred: failed to allocate a nodePort: range is full'],
  );
});

test('more addresses and families than a Service has', async () => {
  const clusterIPs = many(MANY, (i) => `203.0.${(i >> 8) & 255}.${i & 255}`);
  const ipFamilies = many(MANY, () => 'IPv6');
  for (const [spec, field] of [
    [{ clusterIPs }, 'clusterIPs'],
    [{ ipFamilies }, 'ipFamilies'],
  ] as const) {
    const { code, body } = await post(SERVICES, { ports: [{ port: 80 }], ...spec });
    const text = JSON.stringify(body);
    assert.equal(code, 422);
    assert.match(text, new RegExp(`spec\\.${field}: Invalid value: .*may only hold up to 2 values`));
    assert.ok(text.length < 4_000_000, `${text.length} characters`);
  }
});

test('a Pod that has very many of everything that must be unique', async () => {
  const spec = {
    volumes: many(MANY, (i) => ({ name: `v${i}`, emptyDir: {} })),
    containers: [
      {
        name: 'c',
        image: 'i',
        volumeMounts: many(MANY, (i) => ({ name: `v${i}`, mountPath: `/m${i}` })),
        volumeDevices: many(MANY, (i) => ({ name: `d${i}`, devicePath: `/d${i}` })),
      },
    ],
  };
  const { code, body } = await post(PODS, spec);
  assert.equal(code, 422);
  assert.match(String(body['message']), /volumeDevices\[0\]\.name: Not found: "d0"/);
});

test('an error that lists what there is, for each of many', async () => {
  const resourceClaims = many(MANY, (i) => ({ name: `r${i}`, resourceClaimName: 'x' }));
  const claims = many(MANY, (i) => ({ name: `missing${i}` }));
  const containers = [{ name: 'c', image: 'i', resources: { claims } }];
  const { code, body } = await post(PODS, { resourceClaims, containers });
  assert.equal(code, 422);
  assert.match(
    String(body['message']),
    /must be one of the names in pod\.spec\.resourceClaims: r0, r1, .*, …/,
  );
});

test('a field of a Pod whose name begins a million times', async () => {
  const env = [{ name: 'E', valueFrom: { fieldRef: { fieldPath: "['".repeat(500_000) } } }];
  const before = process.cpuUsage();
  const { code, body } = await post(PODS, { containers: [{ name: 'c', image: 'i', env }] });
  const { user } = process.cpuUsage(before);
  assert.equal(code, 422);
  assert.match(String(body['message']), /error converting fieldPath: field label not supported: /);
  assert.ok(user < 2_000_000, `${user} µs of CPU`);
});

test('very many volumes of a Pod that are all wrong', async () => {
  const before = process.cpuUsage();
  const { code } = await post(PODS, { volumes: many(MANY, () => ({ name: 'n', emptyDir: {} })) });
  const { user } = process.cpuUsage(before);
  assert.equal(code, 422);
  assert.ok(user < 2_000_000, `${user} µs of CPU`);
});
