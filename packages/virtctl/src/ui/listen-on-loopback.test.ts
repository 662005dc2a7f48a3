import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test, type TestContext } from 'node:test';
import { listenOnLoopback } from './listen-on-loopback.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const skip = hasIpv6 ? false : 'this machine has no ::1';

function servers(t: TestContext): [Server, Server] {
  const made: [Server, Server] = [createServer(), createServer()];
  t.after(() => made.forEach((server) => server.close()));
  return made;
}

test('one port of both addresses', { skip }, async (t) => {
  const port = await listenOnLoopback(servers(t), 0);
  for (const host of ['127.0.0.1', '::1']) {
    const socket = connect({ host, port });
    await once(socket, 'connect');
    socket.destroy();
  }
});

test('a port that somebody has on the other address is not taken', { skip }, async (t) => {
  const other = createServer();
  t.after(() => other.close());
  other.listen(0, '::1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const [four, six] = servers(t);
  await assert.rejects(
    listenOnLoopback([four, six], port),
    /cannot listen on ::1 port \d+.*choose another --port/,
  );
  assert.equal(four.listening, false, 'half of the page is no page');
});
