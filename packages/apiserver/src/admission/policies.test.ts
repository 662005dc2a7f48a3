/** ValidatingAdmissionPolicies that look beyond the object: parameters, the namespace, and what the user may do. */
import assert from 'node:assert/strict';
import { request } from 'node:https';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let home: TestServer;
before(async () => {
  home = await startTestServer();
});
after(() => home[Symbol.asyncDispose]());

interface Answer {
  readonly code: number;
  readonly message: string;
}

function call(method: string, path: string, body?: object, user?: string): Promise<Answer> {
  const { server, ca, admin } = home;
  const headers = {
    'content-type': 'application/json',
    ...(user === undefined ? {} : { 'impersonate-user': user }),
  };
  const options = { method, ca: ca.certificate, cert: admin.certificate, key: admin.key, headers };
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { message = '' } = JSON.parse(Buffer.concat(chunks).toString()) as { message?: string };
        resolve({ code: response.statusCode ?? 0, message });
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';
const make = (name: string, data: object, user?: string): Promise<Answer> =>
  call('POST', `${MAPS}?dryRun=All`, { metadata: { name }, data }, user);

async function policy(name: string, spec: object, binding: object): Promise<void> {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const whole = { matchConstraints: { resourceRules: [rule] }, ...spec };
  const made = await call('POST', `${GROUP}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: whole,
  });
  assert.equal(made.code, 201, made.message);
  const bound = await call('POST', `${GROUP}/validatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'], ...binding },
  });
  assert.equal(bound.code, 201, bound.message);
}

test('parameters, variables, conditions and the namespace', async () => {
  await call('POST', MAPS, { metadata: { name: 'limits' }, data: { max: '1' } });
  await policy(
    'few-keys',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConditions: [{ name: 'named', expression: "object.metadata.name.startsWith('k-')" }],
      variables: [
        { name: 'n', expression: 'size(object.data)' },
        { name: 'unused', expression: 'object.data.nothing' },
      ],
      validations: [
        {
          expression: 'variables.n <= int(params.data.max)',
          messageExpression: "string(variables.n) + ' keys in ' + namespaceObject.metadata.name",
        },
      ],
    },
    { paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } },
  );
  assert.equal((await make('k-1', { a: '1' })).code, 201);
  assert.equal((await make('other', { a: '1', b: '2' })).code, 201);
  const refused = await make('k-2', { a: '1', b: '2' });
  assert.equal(refused.code, 422);
  assert.match(refused.message, /'few-keys' with binding 'few-keys' denied request: 2 keys in default$/);
  await call('DELETE', `${MAPS}/limits`);
  assert.match((await make('k-1', { a: '1' })).message, /no params found for policy binding with `Deny`/);
  await call('DELETE', `${GROUP}/validatingadmissionpolicybindings/few-keys`);
});

test('the authorizer knows who asks', async () => {
  await call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'mapper' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }],
  });
  await call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'mapper' },
    roleRef: { kind: 'ClusterRole', name: 'mapper', apiGroup: 'rbac.authorization.k8s.io' },
    subjects: [{ kind: 'User', name: 'ann', apiGroup: 'rbac.authorization.k8s.io' }],
  });
  const expression =
    "authorizer.requestResource.check('create').allowed() && authorizer.group('').resource('pods').namespace('default').check('delete').allowed()";
  await policy('may-delete-pods', { validations: [{ expression, message: 'no' }] }, {});
  assert.equal((await make('x', {})).code, 201);
  assert.match((await make('x', {}, 'ann')).message, /denied request: no$/);
});

test('policies and bindings that make no sense are refused', async () => {
  const bad = await call('POST', `${GROUP}/validatingadmissionpolicies`, {
    metadata: { name: 'b' },
    spec: {},
  });
  assert.match(bad.message, /spec\.matchConstraints: Required value/);
  assert.match(bad.message, /spec\.validations: Required value/);
  const both = await call('POST', `${GROUP}/validatingadmissionpolicybindings`, {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny', 'Warn'] },
  });
  assert.match(both.message, /must not contain both Deny and Warn/);
});

test('policies and bindings count from the moment they are there, until they are gone', async () => {
  const before = await make('counted', { a: '1' });
  assert.equal(before.code, 201, before.message);
  await policy('counted', { validations: [{ expression: 'object.metadata.name != "counted"' }] }, {});
  assert.equal((await make('counted', { a: '1' })).code, 422);
  const unbound = await call('DELETE', `${GROUP}/validatingadmissionpolicybindings/counted`);
  assert.equal(unbound.code, 200, unbound.message);
  assert.equal((await make('counted', { a: '1' })).code, 201);
});
