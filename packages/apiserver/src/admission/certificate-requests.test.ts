import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { at } from '../wire/json.ts';

const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const as = (user: string): Record<string, string> => ({ 'impersonate-user': user });
const MERGE = { 'content-type': 'application/merge-patch+json' };
const APPROVED = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'x' }] } };

let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
  const may = (name: string, rules: readonly object[]): Promise<unknown> =>
    Promise.all([
      client.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name }, rules }),
      client.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
      }),
    ]);
  const apiGroups = ['certificates.k8s.io'];
  const all = {
    apiGroups,
    resources: ['certificatesigningrequests', 'certificatesigningrequests/approval'],
    verbs: ['*'],
  };
  await may('clerk', [all]);
  await may('approver', [
    all,
    { apiGroups, resources: ['signers'], resourceNames: ['kubernetes.io/*'], verbs: ['approve'] },
  ]);
});
after(() => server[Symbol.asyncDispose]());

test('a request says truly who asked, keeps what was asked, and is approved only by who may use the signer', async () => {
  const request = execFileSync(
    'openssl',
    ['req', '-new', '-nodes', '-newkey', 'ed25519', '-keyout', '/dev/null', '-subj', '/CN=anna'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  ).toString('base64');
  const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
  const forged = { ...spec, username: 'system:node:node-1', groups: ['system:masters'] };
  const made = await client.send('POST', CSRS, { metadata: { name: 'a' }, spec: forged }, as('clerk'));
  assert.equal(made.code, 201, JSON.stringify(made.body));
  assert.equal(at(made.body, 'spec', 'username'), 'clerk');
  assert.deepEqual(at(made.body, 'spec', 'groups'), ['system:authenticated']);
  const body = { spec: { username: 'otto' } };
  const changed = await client.send('PATCH', `${CSRS}/a`, body, { ...as('clerk'), ...MERGE });
  assert.equal(at(changed.body, 'spec', 'username'), 'clerk');
  const approve = (user: string) =>
    client.send('PATCH', `${CSRS}/a/approval`, APPROVED, { ...as(user), ...MERGE });
  const refused = await approve('clerk');
  assert.equal(refused.code, 403);
  assert.match(String(refused.body['message']), /not permitted to approve requests with signerName/);
  const approved = await approve('approver');
  assert.equal(approved.code, 200);
  assert.equal(at(approved.body, 'status', 'conditions', 0, 'type'), 'Approved');
});
