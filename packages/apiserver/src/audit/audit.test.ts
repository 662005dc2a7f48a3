import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { issueCertificate, type KeyPair } from '@podvisor/kube';
import { startTestServer } from '../testing/test-server.ts';
import { parseRequest } from '../wire/request-info.ts';
import { DEFAULT_AUDIT_POLICY } from './default-policy.ts';
import { AuditLog } from './log.ts';
import { parseAuditPolicy } from './policy.ts';

const POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- {level: None, users: [quiet]}
- {level: RequestResponse, verbs: [create], resources: [{group: "", resources: [configmaps, secrets]}]}
- {level: None, nonResourceURLs: ["/healthz*"]}
- {level: Metadata, resources: [{group: "", resources: ["pods/*"]}]}
`;

test('the first rule that fits decides', () => {
  const policy = parseAuditPolicy(POLICY);
  const user = { username: 'u', groups: [] };
  const level = (method: string, path: string, name = 'u'): string => {
    const info = parseRequest(method, path);
    return policy(info, info.isResource ? info.verb : method.toLowerCase(), { ...user, username: name });
  };
  assert.equal(level('POST', '/api/v1/namespaces/n/configmaps'), 'RequestResponse');
  assert.equal(level('POST', '/api/v1/namespaces/n/configmaps', 'quiet'), 'None');
  assert.equal(level('GET', '/api/v1/namespaces/n/pods/p/log'), 'Metadata');
  assert.equal(level('GET', '/api/v1/namespaces/n/pods/p'), 'None');
  assert.equal(level('GET', '/healthz/etcd'), 'None');
  assert.throws(() => parseAuditPolicy('kind: Policy\nrules: [{level: Loud}]'), /rules\[0\]\.level must be/);
});

test('without a policy of its own a home notes changes, ways into Pods and guests, and who reads Secrets', () => {
  const policy = parseAuditPolicy(DEFAULT_AUDIT_POLICY);
  const noted = (method: string, path: string): boolean => {
    const info = parseRequest(method, path);
    return policy(info, info.verb, { username: 'u', groups: [] }) === 'Metadata';
  };
  const vmi = 'namespaces/n/virtualmachineinstances';
  const table: readonly (readonly [string, string, boolean])[] = [
    ['GET', '/api/v1/namespaces/n/secrets/s', true],
    ['GET', '/api/v1/secrets', true],
    ['GET', '/api/v1/secrets?watch=1', true],
    ['GET', '/api/v1/namespaces/n/pods/p/exec', true],
    ['GET', `/apis/subresources.kubevirt.io/v1/${vmi}/v/console`, true],
    ['POST', `/apis/kubevirt.io/v1/${vmi}`, true],
    ['DELETE', `/apis/kubevirt.io/v1/${vmi}`, true],
    ['PATCH', '/api/v1/nodes/n/status', true],
    ['POST', '/api/v1/namespaces/n/serviceaccounts/s/token', true],
    ['GET', '/api/v1/namespaces/n/pods/p', false],
    ['GET', '/api/v1/pods?watch=1', false],
    ['PUT', '/apis/coordination.k8s.io/v1/namespaces/n/leases/l', false],
    ['POST', '/api/v1/namespaces/n/events', false],
    ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', false],
  ];
  for (const [method, path, expected] of table)
    assert.equal(noted(method, path), expected, `${method} ${path}`);
});

test('a log that is full begins anew and keeps one old file', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'podvisor-audit-'));
  try {
    const path = join(dir, 'audit.log');
    const log = new AuditLog({ path, maxBytes: 1000, onError: assert.ifError });
    for (let i = 0; i < 50; i += 1) log.write({ i, text: 'x'.repeat(50) });
    await log.close();
    assert.ok(statSync(path).size <= 1000);
    assert.ok(existsSync(`${path}.1`));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test('the server notes who did what, but never a secret', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'podvisor-audit-'));
  try {
    const path = join(dir, 'audit.log');
    writeFileSync(join(dir, 'policy.yaml'), POLICY);
    const home = await startTestServer({
      overrides: { audit: { policy: POLICY, path, maxBytes: 1 << 20 } },
    });
    for (const [plural, body] of [
      ['configmaps', { metadata: { name: 'a' }, data: { k: 'v' } }],
      ['secrets', { metadata: { name: 's' }, stringData: { k: 'hidden' } }],
    ] as const) {
      await new Promise<void>((resolve, reject) => {
        const sent = request(
          `${home.server.url}/api/v1/namespaces/default/${plural}`,
          {
            method: 'POST',
            ca: home.ca.certificate,
            cert: home.admin.certificate,
            key: home.admin.key,
            headers: { 'content-type': 'application/json' },
          },
          (response) => response.resume().on('end', resolve),
        );
        sent.on('error', reject);
        sent.end(JSON.stringify(body));
      });
    }
    await home[Symbol.asyncDispose]();
    const text = readFileSync(path, 'utf8');
    const [first, second] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, Record<string, unknown>>);
    assert.equal(first?.['user']?.['username'], 'admin');
    assert.deepEqual(first?.['requestObject']?.['data'], { k: 'v' });
    assert.equal(first?.['responseStatus']?.['code'], 201);
    assert.equal(second?.['objectRef']?.['resource'], 'secrets');
    assert.ok(!text.includes('hidden'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test('the log names who was refused, who acted in whose name, and who went into a Pod or guest', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'podvisor-audit-'));
  try {
    const path = join(dir, 'audit.log');
    const home = await startTestServer({
      overrides: { audit: { policy: DEFAULT_AUDIT_POLICY, path, maxBytes: 1 << 20 } },
    });
    const anna = issueCertificate(home.ca, { commonName: 'anna', usages: ['client'], now: Date.now() });
    const send = (
      who: KeyPair,
      method: string,
      to: string,
      headers: Record<string, string>,
    ): Promise<unknown> =>
      new Promise((resolve) => {
        const access = { ca: home.ca.certificate, cert: who.certificate, key: who.key };
        const sent = request(`${home.server.url}/api/v1/namespaces/default/${to}`, {
          ...{ method, headers, ...access, agent: false },
        });
        for (const event of ['response', 'upgrade', 'error']) sent.once(event, resolve);
        sent.once('response', (response) => response.resume());
        sent.once('close', resolve);
        sent.end();
      });
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
    await send(anna, 'DELETE', 'secrets/s', {});
    await send(home.admin, 'DELETE', 'secrets/s', { 'impersonate-user': 'bob' });
    await send(home.admin, 'GET', 'pods/p/exec?command=sh', upgrade);
    await send(anna, 'GET', 'pods/p/exec?command=sh', upgrade);
    await home[Symbol.asyncDispose]();
    const events = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, Record<string, unknown>>);
    const seen = events.map(
      ({ stage, user, impersonatedUser, responseStatus, objectRef }) =>
        `${String(stage)} ${String(user?.['username'])} ${String(impersonatedUser?.['username'] ?? '-')} ${String(objectRef?.['subresource'] ?? '-')} ${String(responseStatus?.['code'] ?? '-')}`,
    );
    assert.deepEqual(seen, [
      'ResponseComplete anna - - 403',
      'ResponseComplete admin bob - 403',
      'RequestReceived admin - exec -',
      'ResponseComplete admin - exec 501', // nobody runs Pods here
      'RequestReceived anna - exec -',
      'ResponseComplete anna - exec 403',
    ]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
