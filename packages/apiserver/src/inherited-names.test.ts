/**
 * Names that every JavaScript object inherits are keys like any other in Kubernetes: of ConfigMaps, labels, annotations
 * and custom resources. They must come back as they were sent, by every format and every kind of patch.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { memberOf } from '@podvisor/base';
import { adminRequest, type Reply } from './testing/admin-request.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';
import type { JsonObject } from './wire/json.ts';
import { protobufOf } from './wire/protobuf/any-object.ts';

const NAMES = Object.getOwnPropertyNames(Object.prototype);
/** Those that may be keys of labels and annotations: they begin and end with a letter. */
const LABELS = NAMES.filter((name) => /^[A-Za-z]/.test(name));
const MAPS = '/api/v1/namespaces/default/configmaps';
const THINGS = '/apis/names.example.com/v1/namespaces/default/things';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

let home: TestServer;
const unexpected: string[] = [];

before(async () => {
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object, message: string) => unexpected.push(`${message} ${JSON.stringify(fields)}`),
  };
  home = await startTestServer({ overrides: { log } });
  const { code, body } = await send(
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    JSON.stringify(definition()),
  );
  assert.equal(code, 201, String(body['message']));
});
after(async () => {
  await home[Symbol.asyncDispose]();
  assert.deepEqual(unexpected, []);
});

/** An object with all names as keys; made from text, as a client's is. */
function allOf(names: readonly string[], value: (name: string) => string): string {
  return `{${names.map((name) => `"${name}":${JSON.stringify(value(name))}`).join(',')}}`;
}

function configMap(name: string, data: string, more = ''): string {
  return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"${more}},"data":${data}}`;
}

function sameKeys(found: unknown, names: readonly string[], value: (name: string) => string): void {
  const object = found as JsonObject;
  assert.deepEqual(Object.keys(object).toSorted(), names.toSorted());
  for (const name of names) assert.equal(memberOf(object, name), value(name), name);
}

const value = (name: string): string => `of ${name}`;
const other = (name: string): string => `other ${name}`;

for (const name of NAMES)
  test(`${name} is a key of a ConfigMap`, async () => {
    const map = `key-${NAMES.indexOf(name)}`;
    const created = await send('POST', MAPS, configMap(map, allOf([name], value)));
    assert.equal(created.code, 201, String(created.body['message']));
    sameKeys(created.body['data'], [name], value);
    sameKeys((await send('GET', `${MAPS}/${map}`)).body['data'], [name], value);
  });

test('as JSON, YAML and protobuf, in create and update', async () => {
  const text = configMap('formats', allOf(NAMES, value));
  assert.equal((await send('POST', MAPS, text)).code, 201);
  const yaml = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: formats}\ndata:\n${NAMES.map((n) => `  ${n}: ${other(n)}\n`).join('')}`;
  const replaced = await send('PUT', `${MAPS}/formats`, yaml, 'application/yaml');
  assert.equal(replaced.code, 200, String(replaced.body['message']));
  sameKeys((await send('GET', `${MAPS}/formats`)).body['data'], NAMES, other);
  const bytes = protobufOf(JSON.parse(text) as JsonObject);
  assert.ok(bytes !== undefined);
  const protobuf = 'application/vnd.kubernetes.protobuf';
  assert.equal((await send('PUT', `${MAPS}/formats`, bytes, protobuf)).code, 200);
  sameKeys((await send('GET', `${MAPS}/formats`)).body['data'], NAMES, value);
});

test('by every kind of patch', async () => {
  assert.equal((await send('POST', MAPS, configMap('patched', '{}'))).code, 201);
  for (const [type, body] of [
    [MERGE, `{"data":${allOf(NAMES, value)}}`],
    [STRATEGIC, `{"data":${allOf(NAMES, other)}}`],
    [JSON_PATCH, JSON.stringify(NAMES.map((n) => ({ op: 'replace', path: `/data/${n}`, value: value(n) })))],
    [`${APPLY}`, configMap('patched', allOf(NAMES, other))],
  ] as const) {
    const query = type === APPLY ? '?fieldManager=test&force=true' : '';
    const wanted = body.includes('other') ? other : value;
    const answer = await send('PATCH', `${MAPS}/patched${query}`, body, type);
    assert.equal(answer.code, 200, `${type}: ${String(answer.body['message'])}`);
    sameKeys((await send('GET', `${MAPS}/patched`)).body['data'], NAMES, wanted);
  }
  const nulls = `{"data":{${NAMES.map((n) => `"${n}":null`).join(',')}}}`;
  assert.equal((await send('PATCH', `${MAPS}/patched`, nulls, MERGE)).code, 200);
  assert.equal((await send('GET', `${MAPS}/patched`)).body['data'], undefined);
});

test('what apply owns under such a name goes when the manager leaves it out', async () => {
  const apply = (data: string) =>
    send('PATCH', `${MAPS}/applied?fieldManager=m`, configMap('applied', data), APPLY);
  assert.equal((await apply(allOf(NAMES, value))).code, 201);
  assert.equal((await apply('{"kept":"x"}')).code, 200);
  const { body } = await send('GET', `${MAPS}/applied`);
  assert.deepEqual(body['data'], { kept: 'x' });
});

test('JSON patch walks own members only', async () => {
  assert.equal((await send('POST', MAPS, configMap('walked', '{"a":"b"}'))).code, 201);
  for (const path of [
    '/data/hasOwnProperty/call',
    '/constructor/x',
    '/data/constructor/prototype/polluted',
    '/__proto__/polluted',
    '/data/__proto__/polluted',
    '/metadata/labels/toString/name',
  ])
    for (const op of ['add', 'replace', 'test', 'remove', 'copy', 'move']) {
      const operation = { op, path, from: path, value: 'x' };
      const { code } = await send('PATCH', `${MAPS}/walked`, JSON.stringify([operation]), JSON_PATCH);
      assert.equal(code, 422, `${op} ${path}`);
    }
  assert.equal(memberOf({} as Record<string, unknown>, 'polluted'), undefined);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('labels: selected, defaulted and missing', async () => {
  const labels = `,"labels":${allOf(LABELS, () => 'yes')},"annotations":${allOf(LABELS, value)}`;
  assert.equal((await send('POST', MAPS, configMap('labelled', '{}', labels))).code, 201);
  const { body } = await send('GET', `${MAPS}/labelled`);
  const metadata = body['metadata'] as JsonObject;
  sameKeys(metadata['labels'], LABELS, () => 'yes');
  sameKeys(metadata['annotations'], LABELS, value);
  for (const name of LABELS) {
    const found = async (selector: string): Promise<number> => {
      const list = await send('GET', `${MAPS}?labelSelector=${encodeURIComponent(selector)}`);
      return (list.body['items'] as unknown[]).length;
    };
    assert.equal(await found(name), 1, name);
    assert.equal(await found(`${name}=yes`), 1, name);
    const all = await found('');
    assert.equal(await found(`!${name}`), all - 1, name);
    assert.equal(await found(`${name}!=yes`), all - 1, name);
  }
});

test('custom resources: open maps, declared properties, rules, defaults and required fields', async () => {
  const names = NAMES.filter((name) => name !== '__proto__');
  const thing = (spec: string): string =>
    `{"apiVersion":"names.example.com/v1","kind":"Thing","metadata":{"name":"one"},"spec":${spec}}`;
  const missing = await send('POST', THINGS, thing('{}'));
  assert.equal(missing.code, 422);
  assert.match(String(missing.body['message']), /spec\.valueOf: Required value/);
  const spec = `{"valueOf":"given","map":${allOf(NAMES, value)},"free":${allOf(NAMES, value)}}`;
  const created = await send('POST', THINGS, thing(spec));
  assert.equal(created.code, 201, String(created.body['message']));
  const { body } = await send('GET', `${THINGS}/one`);
  const stored = body['spec'] as JsonObject;
  sameKeys(stored['map'], NAMES, value);
  sameKeys(stored['free'], NAMES, value);
  assert.equal(memberOf(stored, 'constructor'), 'default');
  const unknown = await send(
    'POST',
    `${THINGS}?fieldValidation=Strict`,
    thing(`{"valueOf":"x","toString":"y"}`),
  );
  assert.equal(unknown.code, 400);
  assert.match(String(unknown.body['message']), /unknown field "spec\.toString"/);
  const ruled = await send(
    'PATCH',
    `${THINGS}/one`,
    JSON.stringify({ spec: { ruled: Object.fromEntries(names.map((n) => [n, 'x'])) } }),
    MERGE,
  );
  assert.equal(ruled.code, 200, String(ruled.body['message']));
  const refused = await send('PATCH', `${THINGS}/one`, '{"spec":{"ruled":{"constructor":null}}}', MERGE);
  assert.equal(refused.code, 422, String(refused.body['message']));
  assert.match(String(refused.body['message']), /has no constructor/);
});

test('names of tables: kinds of Secrets, formats, operators, subresources', async () => {
  for (const name of NAMES) {
    const secret = await send(
      'POST',
      '/api/v1/namespaces/default/secrets',
      JSON.stringify({ metadata: { generateName: 'of-' }, type: name, stringData: { a: 'b' } }),
    );
    assert.ok(secret.code === 201 || secret.code === 422, `${name}: ${secret.code}`);
    const pod = `/api/v1/namespaces/default/pods/x/${name}`;
    assert.equal((await send('GET', pod)).code, 404, pod);
    assert.equal((await send('GET', `/apis/apps/v1/${name}`)).code, 404);
    const policy = await send(
      'POST',
      '/apis/apps/v1/namespaces/default/deployments',
      JSON.stringify({
        metadata: { name: 'x' },
        spec: {
          selector: { matchExpressions: [{ key: 'a', operator: name }] },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      }),
    );
    assert.equal(policy.code, 422, `${name}: ${policy.code}`);
  }
});

function definition(): object {
  return {
    metadata: { name: 'things.names.example.com' },
    spec: {
      group: 'names.example.com',
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
                  required: ['valueOf'],
                  properties: {
                    valueOf: { type: 'string' },
                    constructor: { type: 'string', default: 'default' },
                    map: { type: 'object', additionalProperties: { type: 'string' } },
                    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                    ruled: {
                      type: 'object',
                      additionalProperties: { type: 'string' },
                      'x-kubernetes-validations': [
                        {
                          rule: "'constructor' in self && self['constructor'] == 'x' && !('absent' in self)",
                          message: 'has no constructor',
                        },
                      ],
                    },
                  },
                },
              },
            },
          },
        },
      ],
    },
  };
}

function send(
  method: string,
  path: string,
  body?: string | Buffer,
  type = 'application/json',
): Promise<Reply> {
  return adminRequest(home, method, path, { ...(body === undefined ? {} : { body }), type });
}
