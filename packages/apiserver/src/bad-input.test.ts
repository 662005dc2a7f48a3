/**
 * Whatever a client sends, the server answers with a clear refusal and goes on. Bodies are made by damaging good
 * ones, always with the same seeds; an unexpected error in the server's log fails the test.
 */
import assert from 'node:assert/strict';
import { type RequestOptions, request } from 'node:https';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { randomFrom } from '@podvisor/base';
import { startTestServer, type TestServer } from './testing/test-server.ts';
import { protobufOf } from './wire/protobuf/any-object.ts';

let home: TestServer;
const unexpected: string[] = [];

before(async () => {
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object, message: string) => unexpected.push(`${message} ${JSON.stringify(fields)}`),
  };
  home = await startTestServer({ overrides: { log } });
  assert.equal((await send('POST', CRDS, JSON.stringify(crd), {})).code, 201);
});
after(() => home[Symbol.asyncDispose]());

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const PODS = '/api/v1/namespaces/default/pods';
const MAPS = '/api/v1/namespaces/default/configmaps';
const THINGS = '/apis/fuzz.example.com/v1/namespaces/default/things';

const crd = {
  metadata: { name: 'things.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: { n: { type: 'integer' }, list: { type: 'array', items: { type: 'string' } } },
              },
            },
          },
        },
      },
    ],
  },
};

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'p',
    labels: { a: 'b' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u' }],
  },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        ports: [{ containerPort: 80 }],
        resources: { limits: { cpu: '1', memory: '1Gi' } },
        livenessProbe: { httpGet: { port: 'http', path: '/' } },
      },
    ],
    volumes: [{ name: 'v', projected: { sources: [{ configMap: { name: 'm' } }] } }],
    tolerations: [{ key: 'k', operator: 'Exists' }],
  },
};
const thing = {
  apiVersion: 'fuzz.example.com/v1',
  kind: 'Thing',
  metadata: { name: 't' },
  spec: { n: 1, list: ['a'], more: { deep: [1, 2, { x: null }] } },
};

interface Answer {
  readonly code: number;
  readonly text: string;
}

function send(
  method: string,
  path: string,
  body: string | Buffer | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { server, ca, admin } = home;
  const options: RequestOptions = {
    method,
    ca: ca.certificate,
    cert: admin.certificate,
    key: admin.key,
    headers: { 'content-type': 'application/json', ...headers },
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const WRONG: readonly unknown[] = [
  null,
  -1,
  1e30,
  '',
  'x'.repeat(300),
  true,
  [],
  {},
  [null],
  [[]],
  { '': null },
  '\u0000',
];

/** A copy of the value with one place replaced by something that does not belong there. */
function misplaced(value: unknown, next: () => number): unknown {
  if (typeof value !== 'object' || value === null || next() < 0.15)
    return WRONG[Math.floor(next() * WRONG.length)];
  if (Array.isArray(value)) {
    const at = Math.floor(next() * value.length);
    return value.map((item, i): unknown => (i === at ? misplaced(item, next) : item));
  }
  const keys = Object.keys(value);
  const at = keys[Math.floor(next() * keys.length)];
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === at ? misplaced(item, next) : item]),
  );
}

/** A copy of the bytes with a few of them changed, lost or repeated. */
function damaged(bytes: Buffer, next: () => number): Buffer {
  const copy = Buffer.from(bytes);
  for (let i = 0; i < 3; i += 1) copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256);
  const cut = Math.floor(next() * copy.length);
  const kind = next();
  if (kind < 0.3) return copy.subarray(0, cut);
  return kind < 0.5 ? Buffer.concat([copy, copy.subarray(cut)]) : copy;
}

const check = ({ code, text }: Answer, what: string): void => {
  assert.ok(code < 500, `${code} for ${what.slice(0, 500)}: ${text.slice(0, 500)}`);
  if (code >= 400) assert.match(text, /"kind":"Status"/, what.slice(0, 300));
};

test('values where they do not belong', { timeout: 60_000 }, async () => {
  const next = randomFrom(1);
  for (let i = 0; i < 250; i += 1) {
    const [path, base] = i % 3 === 0 ? [THINGS, thing] : i % 3 === 1 ? [PODS, pod] : [CRDS, crd];
    const body = JSON.stringify(misplaced(base, next));
    check(await send('POST', `${path}?dryRun=All`, body, {}), body);
  }
  assert.deepEqual(unexpected.splice(0), []);
});

test('damaged bytes in every format', { timeout: 60_000 }, async () => {
  const next = randomFrom(2);
  const packed = protobufOf(pod) ?? Buffer.alloc(0);
  const text = Buffer.from(JSON.stringify(pod));
  const yaml = Buffer.from(
    'apiVersion: v1\nkind: ConfigMap\nmetadata: &a {name: x}\ndata: {k: "v", l: *a}\n',
  );
  const forms = [
    ['application/json', text, PODS],
    ['application/yaml', yaml, MAPS],
    ['application/vnd.kubernetes.protobuf', packed, PODS],
    ['application/json', Buffer.from(JSON.stringify(thing)), THINGS],
  ] as const;
  for (let i = 0; i < 200; i += 1) {
    const form = forms[i % forms.length];
    if (form === undefined) continue;
    const [type, bytes, path] = form;
    const body = damaged(bytes, next);
    check(await send('POST', `${path}?dryRun=All`, body, { 'content-type': type }), body.toString('latin1'));
  }
  assert.deepEqual(unexpected.splice(0), []);
});

test('patches that make no sense', { timeout: 60_000 }, async () => {
  assert.equal((await send('POST', MAPS, JSON.stringify({ metadata: { name: 'target' } }), {})).code, 201);
  const next = randomFrom(3);
  const forms = [
    ['application/json-patch+json', [{ op: 'add', path: '/data', value: { a: 'b' } }]],
    ['application/merge-patch+json', { data: { a: null }, metadata: { labels: { x: 'y' } } }],
    ['application/strategic-merge-patch+json', { metadata: { finalizers: ['a/b'], $setElementOrder: [] } }],
    [
      'application/apply-patch+yaml',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'target' }, data: {} },
    ],
  ] as const;
  for (let i = 0; i < 200; i += 1) {
    const form = forms[i % forms.length];
    if (form === undefined) continue;
    const good = JSON.stringify(misplaced(form[1], next));
    const body = next() < 0.5 ? good : damaged(Buffer.from(good), next);
    const path = `${MAPS}/target?dryRun=All&fieldManager=f`;
    const answer = await send('PATCH', path, body, { 'content-type': form[0] });
    // Apply words a configuration that does not fit its type as an error of the server, and so do we.
    if (answer.code !== 500 || !answer.text.includes('failed to create typed patch object'))
      check(answer, body.toString());
  }
  assert.deepEqual(unexpected.splice(0), []);
});

test('queries and paths that make no sense', { timeout: 30_000 }, async () => {
  const paths = [
    `${MAPS}?labelSelector=%00%ff%28%28`,
    `${MAPS}?fieldSelector=metadata.name%3D%3D%3D`,
    `${MAPS}?limit=-1&continue=%ff%fe`,
    `${MAPS}?limit=99999999999999999999`,
    `${MAPS}?resourceVersion=abc`,
    `${MAPS}?watch=1&resourceVersion=-1`,
    `${MAPS}/..%2f..%2fsecrets`,
    `${MAPS}/%00`,
    '/api/v1/namespaces/%ff/pods',
    '/apis/%2e%2e/%2e%2e/x',
    `/${'x/'.repeat(2000)}`,
    `${MAPS}?${'a=b&'.repeat(3000)}`,
  ];
  for (const path of paths) {
    const { code, text } = await send('GET', path, undefined, { accept: 'application/json, \u00ff;q=x' });
    assert.ok(
      code < 500 || /resourceVersion|ParseUint/.test(text),
      `${code} for ${path.slice(0, 100)}: ${text}`,
    );
  }
  assert.deepEqual(unexpected.splice(0), []);
});

test('deep nesting and huge bodies are refused, and cost little', { timeout: 60_000 }, async () => {
  const before = process.memoryUsage().rss;
  const deep = (depth: number): string =>
    `{"metadata":{"name":"d"},"spec":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
  for (const depth of [200, 5_000, 20_000, 1_000_000]) {
    const body = deep(depth).replace('{', '{"apiVersion":"fuzz.example.com/v1","kind":"Thing",');
    const { code, text } = await send('POST', `${THINGS}?dryRun=All`, body, {});
    assert.ok(depth <= 5_000 ? code < 500 : code === 400, `${depth}: ${code} ${text.slice(0, 200)}`);
    const yaml = await send('POST', `${MAPS}?dryRun=All`, `data: ${'['.repeat(depth)}`, {
      'content-type': 'application/yaml',
    });
    assert.ok(yaml.code === 400, `yaml ${depth}: ${yaml.code} ${yaml.text.slice(0, 200)}`);
  }
  const huge = await send('POST', MAPS, `{"data":{"k":"${'x'.repeat(8 * 1024 * 1024)}"}}`, {});
  assert.equal(huge.code, 413);
  // Aliases that double ten times over would make a gigabyte out of a kilobyte.
  const bomb = `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array.from({ length: 10 }, () => `*a${i}`).join(',')}]`).join('\n')}\n`;
  const laugh = await send('POST', `${MAPS}?dryRun=All`, bomb, { 'content-type': 'application/yaml' });
  assert.equal(laugh.code, 400);
  assert.ok(process.memoryUsage().rss - before < 400 * 1024 * 1024);
  assert.deepEqual(unexpected.splice(0), []);
});

test('a client that says nothing more holds up nobody', { timeout: 30_000 }, async () => {
  const { server, ca, admin } = home;
  const slow = Array.from({ length: 20 }, () => {
    const socket = connect({
      port: server.port,
      host: '127.0.0.1',
      ca: ca.certificate,
      cert: admin.certificate,
      key: admin.key,
    });
    socket.on('error', () => undefined);
    socket.write(
      `POST ${MAPS} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"a`,
    );
    return socket;
  });
  assert.equal((await send('GET', MAPS, undefined, {})).code, 200);
  for (const socket of slow) socket.destroy();
  assert.equal((await send('GET', MAPS, undefined, {})).code, 200);
  assert.deepEqual(unexpected.splice(0), []);
});
