import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { arrayAt, at, stringAt } from '../../wire/json.ts';

let server: TestServer;
let client: TestClient;
const MAPS = '/api/v1/namespaces/listed/configmaps';

before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
  await client.send('POST', '/api/v1/namespaces', { metadata: { name: 'listed' } });
  for (const [name, labels] of [
    ['a', { tier: 'web', size: '1' }],
    ['b', { tier: 'web', size: '5' }],
    ['c', { tier: 'db' }],
    ['d', {}],
  ] as const)
    assert.equal((await client.send('POST', MAPS, { metadata: { name, labels } })).code, 201);
});
after(() => server[Symbol.asyncDispose]());

async function names(query: string): Promise<string[]> {
  const { code, body } = await client.send('GET', `${MAPS}?${query}`);
  assert.equal(code, 200, JSON.stringify(body));
  return arrayAt(body, 'items').map((item) => stringAt(item, 'metadata', 'name'));
}

/** Query → names that are listed. */
const selections: readonly (readonly [string, string])[] = [
  ['labelSelector=tier=web', 'a b'],
  ['labelSelector=tier==web', 'a b'],
  ['labelSelector=tier!=web', 'c d'],
  ['labelSelector=tier', 'a b c'],
  ['labelSelector=!tier', 'd'],
  ['labelSelector=tier in (web,db),size', 'a b'],
  ['labelSelector=tier notin (web)', 'c d'],
  ['labelSelector=size>1', 'b'],
  ['labelSelector=size<5', 'a'],
  ['labelSelector=', 'a b c d'],
  ['fieldSelector=metadata.name=c', 'c'],
  ['fieldSelector=metadata.name!=c,metadata.namespace=listed', 'a b d'],
  ['fieldSelector=metadata.name=c&labelSelector=tier=web', ''],
];

describe('list selects', () => {
  for (const [query, expected] of selections)
    test(query, async () => {
      assert.equal((await names(encodeURI(query).replaceAll('+', '%2B'))).join(' '), expected);
    });
});

/** Query → code and words. */
const refusals: readonly (readonly [string, number, RegExp])[] = [
  ['labelSelector=a in b', 400, /unable to parse requirement/],
  ['labelSelector=a===b', 400, /unable to parse requirement/],
  ['labelSelector=-a', 400, /name part must consist of/],
  ['labelSelector=a=-b-', 400, /a valid label must be an empty string or consist of/],
  ['labelSelector=a>x', 400, /for 'Gt', 'Lt' operators, the value must be an integer/],
  ['fieldSelector=data.x=1', 400, /"data\.x" is not a known field selector/],
  ['fieldSelector=a', 400, /invalid selector/],
  ['limit=x', 400, /strconv\.ParseInt: parsing "x": invalid syntax/],
  ['limit=99999999999999999999', 400, /value out of range/],
  ['continue=x!', 400, /invalid continue token/],
  ['resourceVersion=x', 400, /invalid resource version: .*ParseUint: parsing "x"/],
  ['resourceVersion=-1', 400, /invalid resource version/],
  ['resourceVersionMatch=Exact', 422, /forbidden unless resourceVersion is provided/],
  ['resourceVersion=0&resourceVersionMatch=Exact', 422, /forbidden for resourceVersion "0"/],
  ['resourceVersion=1&resourceVersionMatch=Near', 422, /supported values: "Exact", "NotOlderThan"/],
  ['sendInitialEvents=true', 422, /forbidden for list/],
];

describe('list refuses', () => {
  for (const [query, code, words] of refusals)
    test(query, async () => {
      const reply = await client.send('GET', `${MAPS}?${encodeURI(query)}`);
      assert.equal(reply.code, code, JSON.stringify(reply.body));
      assert.match(String(reply.body['message']), words);
    });
});

describe('list pages', () => {
  test('through all items at one revision, whatever is written meanwhile', async () => {
    const first = (await client.send('GET', `${MAPS}?limit=2`)).body;
    assert.equal(at(first, 'metadata', 'remainingItemCount'), 2);
    await client.send('POST', MAPS, { metadata: { name: 'bb' } });
    const token = stringAt(first, 'metadata', 'continue');
    const second = (await client.send('GET', `${MAPS}?limit=2&continue=${token}`)).body;
    assert.deepEqual(
      [...arrayAt(first, 'items'), ...arrayAt(second, 'items')].map((item) => at(item, 'metadata', 'name')),
      ['a', 'b', 'c', 'd'],
    );
    assert.equal(at(second, 'metadata', 'continue'), undefined);
    assert.equal(at(second, 'metadata', 'resourceVersion'), at(first, 'metadata', 'resourceVersion'));
    await client.send('DELETE', `${MAPS}/bb`);
  });

  test('a list at an exact revision shows what was there then', async () => {
    const before = stringAt((await client.send('GET', MAPS)).body, 'metadata', 'resourceVersion');
    await client.send('POST', MAPS, { metadata: { name: 'late' } });
    assert.equal(
      (await names(`resourceVersion=${before}&resourceVersionMatch=Exact`)).includes('late'),
      false,
    );
    assert.equal(
      (await names(`resourceVersion=${before}&resourceVersionMatch=NotOlderThan`)).includes('late'),
      true,
    );
    await client.send('DELETE', `${MAPS}/late`);
  });
});

test('what nobody accepts is answered with 406', async () => {
  for (const accept of ['text/html', 'application/xml', 'application/json;as=Table;g=meta.k8s.io;v=v9']) {
    const reply = await client.send('GET', MAPS, undefined, { accept });
    assert.equal(reply.code, 406, accept);
    assert.equal(reply.body['reason'], 'NotAcceptable');
  }
});
