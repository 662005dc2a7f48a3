/** Exec, attach and port-forward by a plain request, and logs: in which order they are refused. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
  await client.send('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } });
  const containers = [
    { name: 'c', image: 'i' },
    { name: 'd', image: 'i' },
  ];
  for (const [name, more] of [
    ['waits', {}],
    ['runs', { nodeName: 'n' }],
  ] as const)
    await client.send('POST', `${NAMESPACE}/pods`, { metadata: { name }, spec: { containers, ...more } });
});
after(() => server[Symbol.asyncDispose]());

const CHOOSE = 'choose one of: [c d]';
const CASES: readonly (readonly [string, number, string])[] = [
  ['nobody/exec?command=a', 404, 'pods "nobody" not found'],
  ['waits/exec?command=a', 400, `a container name must be specified for pod waits, ${CHOOSE}`],
  ['waits/exec?command=a&container=x', 400, 'container x is not valid for pod waits'],
  ['waits/exec?command=a&container=c', 400, 'pod waits does not have a host assigned'],
  ['waits/portforward', 400, 'pod waits does not have a host assigned'],
  ['runs/attach?container=x', 400, 'container x is not valid for pod runs'],
  ['runs/attach?container=c', 400, 'Upgrade request required'],
  ['runs/portforward', 400, 'Upgrade request required'],
  ['nobody/log?tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ['runs/log?container=x', 400, 'container x is not valid for pod runs'],
];
for (const [path, code, message] of CASES)
  test(path, async () => {
    const reply = await client.send('GET', `${NAMESPACE}/pods/${path}`);
    assert.deepEqual([reply.code, reply.body['message']], [code, message]);
  });
