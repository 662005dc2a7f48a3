/** Pod Security at the API server: as a tenant meets it. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { JsonObject } from '../../wire/json.ts';

interface Answer {
  readonly code: number;
  readonly message: string;
  readonly warnings: readonly string[];
}

let home: TestServer;
let auditPath: string;

before(async () => {
  const policy =
    'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, verbs: [create, update, patch]}]\n';
  auditPath = `/tmp/podvisor-pod-security-${process.pid}.log`;
  home = await startTestServer({ overrides: { audit: { policy, path: auditPath, maxBytes: 1 << 20 } } });
  for (const [name, labels] of Object.entries({
    strict: { enforce: 'restricted' },
    warned: { warn: 'baseline', audit: 'restricted' },
    kubevirt: { enforce: 'restricted' },
    later: {},
  })) {
    const prefixed = Object.entries(labels).map(([key, level]) => [
      `pod-security.kubernetes.io/${key}`,
      level,
    ]);
    await send('POST', '/api/v1/namespaces', {
      metadata: { name, labels: Object.fromEntries(prefixed) },
    });
    await send('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
  }
});
after(async () => {
  await home[Symbol.asyncDispose]();
  rmSync(auditPath, { force: true });
});

function send(method: string, path: string, body?: JsonObject): Promise<Answer> {
  const { directory, server } = home;
  const read = (name: string): Buffer => readFileSync(join(directory, name));
  return new Promise((resolve, reject) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const sent = request(
      `${server.url}${path}`,
      {
        method,
        ca: read('ca.crt'),
        cert: read('admin.crt'),
        key: read('admin.key'),
        headers: { 'content-type': type },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          const { message = '' } = JSON.parse(text) as { message?: string };
          const warning = response.headers['warning'];
          const warnings = [...(warning ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, said = '']) =>
            said.replaceAll('\\"', '"'),
          );
          resolve({ code: response.statusCode ?? 0, message, warnings });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const root: JsonObject = {
  hostPID: true,
  containers: [{ name: 'c', image: 'x', securityContext: { privileged: true } }],
  volumes: [{ name: 'host', hostPath: { path: '/' } }],
};
const hardened: JsonObject = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    {
      name: 'c',
      image: 'x',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    },
  ],
};
const pods = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;

test('a privileged Pod with the host in it is refused where restricted is enforced', async () => {
  const { code, message } = await send('POST', pods('strict'), { metadata: { name: 'root' }, spec: root });
  assert.equal(code, 403);
  assert.equal(
    message,
    'pods "root" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostPID=true), ' +
      'privileged (container "c" must not set securityContext.privileged=true), ' +
      'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), ' +
      'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), ' +
      'restricted volume types (volume "host" uses restricted volume type "hostPath"), ' +
      'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), ' +
      'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  );
});

test('a hardened Pod is let in, and nothing added to it afterwards breaks the level', async () => {
  const spec = hardened;
  assert.equal((await send('POST', pods('strict'), { metadata: { name: 'good' }, spec })).code, 201);
  const ephemeral = { name: 'e', image: 'x', securityContext: { privileged: true } };
  const added = await send('PATCH', `${pods('strict')}/good/ephemeralcontainers`, {
    spec: { ephemeralContainers: [ephemeral] },
  });
  assert.equal(added.code, 403);
  assert.match(added.message, /violates PodSecurity "restricted:latest": privileged \(container "e"/);
  const labelled = await send('PATCH', `${pods('strict')}/good`, { metadata: { labels: { a: 'b' } } });
  assert.equal(labelled.code, 200);
});

test('templates are let in with a warning; audit notes its own level', async () => {
  const template = { metadata: { labels: { app: 'a' } }, spec: root };
  const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { app: 'a' } }, template } };
  const cronJob = {
    metadata: { name: 'c' },
    spec: {
      schedule: '0 0 * * *',
      jobTemplate: { spec: { template: { spec: { ...root, restartPolicy: 'Never' } } } },
    },
  };
  for (const [path, object] of [
    ['/apis/apps/v1/namespaces/warned/deployments', deployment],
    ['/apis/batch/v1/namespaces/warned/cronjobs', cronJob],
  ] as const) {
    const { code, warnings } = await send('POST', path, object);
    assert.equal(code, 201);
    assert.deepEqual(warnings, [
      'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true), hostPath volumes (volume "host"), privileged (container "c" must not set securityContext.privileged=true)',
    ]);
  }
  // Lines of a moment are written together.
  const expected =
    /"pod-security\.kubernetes\.io\/audit-violations":"would violate PodSecurity \\"restricted:latest\\"/;
  const noted = (): string => readFileSync(auditPath, 'utf8');
  for (let tries = 0; tries < 100 && !expected.test(noted()); tries += 1) await delay(50);
  assert.match(noted(), expected);
});

test('new labels warn of Pods that are there, also in a dry run', async () => {
  assert.equal((await send('POST', pods('later'), { metadata: { name: 'old' }, spec: root })).code, 201);
  const labels = { 'pod-security.kubernetes.io/enforce': 'baseline' };
  const { warnings } = await send('PATCH', '/api/v1/namespaces/later?dryRun=All', { metadata: { labels } });
  assert.deepEqual(warnings, [
    'existing pods in namespace "later" violate the new PodSecurity enforce level "baseline:latest"',
    'old: host namespaces, hostPath volumes, privileged',
  ]);
});

test('a level that does not exist is no label for a namespace', async () => {
  const labels = { 'pod-security.kubernetes.io/enforce': 'tight' };
  const { code, message } = await send('POST', '/api/v1/namespaces', { metadata: { name: 'odd', labels } });
  assert.equal(code, 422);
  assert.match(message, /must be one of privileged, baseline, restricted/);
});

test('the namespace of the components is exempt', async () => {
  assert.equal((await send('POST', pods('kubevirt'), { metadata: { name: 'c' }, spec: root })).code, 201);
});
