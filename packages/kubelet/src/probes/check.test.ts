import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { check, type CheckTarget } from './check.ts';

let reached = 0;
let port = 0;
const server = createServer((_request, response) => {
  reached += 1;
  response.end();
});
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const target = (more: Partial<CheckTarget>): CheckTarget =>
  ({
    context: { nodeNetns: undefined },
    container: { name: 'c' },
    ip: '192.0.2.1',
    hostNetwork: false,
    ...more,
  }) as CheckTarget;

test('probes and hooks go to the Pod, not to where its author sends them', async () => {
  for (const host of [
    ...['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '::1', '::ffff:127.0.0.1', '[::1]'],
    ...['169.254.169.254', '10.96.0.1', '192.0.2.2', 'kubernetes.default.svc', 'example.com'],
  ])
    for (const handler of [{ httpGet: { host, port } }, { tcpSocket: { host, port } }]) {
      const { ok, message } = await check(handler, target({}), 1000);
      assert.equal(ok, false, host);
      assert.equal(message, `host "${host}" is not an address of the Pod`);
    }
  assert.equal(reached, 0);
});

test("a host may repeat the Pod's address, and a Pod of the node's network may name its loopback", async () => {
  const own = { ip: '127.0.0.1' };
  assert.equal((await check({ httpGet: { port } }, target(own), 1000)).ok, true);
  assert.equal((await check({ httpGet: { host: '127.0.0.1', port } }, target(own), 1000)).ok, true);
  for (const host of ['127.0.0.1', 'localhost'])
    assert.equal((await check({ tcpSocket: { host, port } }, target({ hostNetwork: true }), 1000)).ok, true);
});
