/** Who may act as whom, and what a right to one name covers: each with its refusals, asked of a whole server. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { at, stringAt } from '../wire/json.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const REVIEW = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';

let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
  for (const name of ['own', 'other']) await client.send('POST', MAPS, { metadata: { name } });
  await client.send('POST', `${RBAC}/roles`, {
    metadata: { name: 'own-map' },
    rules: [
      {
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: ['own'],
        verbs: ['get', 'list', 'watch', 'patch', 'create', 'deletecollection'],
      },
    ],
  });
  await client.send('POST', `${RBAC}/rolebindings`, {
    metadata: { name: 'jane' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'own-map' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  });
});
after(() => server[Symbol.asyncDispose]());

describe('acting as somebody else', () => {
  const as = (headers: Readonly<Record<string, string>>) => client.send('POST', REVIEWS, REVIEW, headers);

  for (const [header, value] of [
    ['impersonate-group', 'dev'],
    ['impersonate-uid', '7'],
    ['impersonate-extra-team', 'a'],
  ] as const)
    test(`${header} alone: a user is missing`, async () => {
      const { code, body } = await as({ [header]: value });
      assert.equal(code, 400);
      assert.match(stringAt(body, 'message'), /without impersonating a user/);
    });

  for (const [what, headers, username, groups] of [
    ['a user', { 'impersonate-user': 'jane' }, 'jane', ['system:authenticated']],
    [
      'a user with groups',
      { 'impersonate-user': 'jane', 'impersonate-group': 'dev' },
      'jane',
      ['dev', 'system:authenticated'],
    ],
    [
      'a service account brings its groups',
      { 'impersonate-user': 'system:serviceaccount:default:robot' },
      'system:serviceaccount:default:robot',
      ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    ],
  ] as const)
    test(what, async () => {
      const { code, body } = await as(headers);
      assert.equal(code, 201);
      assert.equal(at(body, 'status', 'userInfo', 'username'), username);
      assert.deepEqual(at(body, 'status', 'userInfo', 'groups'), groups);
    });

  for (const user of ['joe', 'system:anonymous'])
    test(`what ${user} may not is refused by that name, whoever asks`, async () => {
      const { code, body } = await client.send('GET', MAPS, undefined, { 'impersonate-user': user });
      assert.equal(code, 403);
      assert.match(stringAt(body, 'message'), new RegExp(`User "${user}" cannot list resource "configmaps"`));
    });
});

describe('a right to one name', () => {
  const JANE = { 'impersonate-user': 'jane' };
  const only = (name: string): string => `?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;

  for (const [what, method, path, code] of [
    ['the object', 'GET', `${MAPS}/own`, 200],
    ['another one', 'GET', `${MAPS}/other`, 403],
    ['a list of it alone', 'GET', MAPS + only('own'), 200],
    ['a list of another one', 'GET', MAPS + only('other'), 403],
    ['a list of all but another one', 'GET', `${MAPS}?fieldSelector=metadata.name!=other`, 403],
    ['a list', 'GET', MAPS, 403],
    ['a watch of all', 'GET', `${MAPS}?watch=1`, 403],
    ['a creation has no name yet', 'POST', MAPS, 403],
  ] as const)
    test(`${what}: ${code}`, async () => {
      const body = method === 'POST' ? { metadata: { name: 'own' } } : undefined;
      assert.equal((await client.send(method, path, body, JANE)).code, code);
    });
});
