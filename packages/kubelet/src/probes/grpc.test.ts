import assert from 'node:assert/strict';
import { createServer, type Http2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { checkGrpc } from './grpc.ts';

let server: Http2Server;
let port: number;

/** A health service: `up` serves, `down` does not, anything else is not known. */
before(async () => {
  server = createServer();
  server.on('stream', (stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const name = Buffer.concat(chunks).subarray(7).toString();
      const known = name === '' || name === 'up' || name === 'down';
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': known ? '0' : '5' }));
      stream.end(known ? Buffer.from([0, 0, 0, 0, 2, 8, name === 'down' ? 2 : 1]) : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
after(() => server.close());

const ask = (service: string): ReturnType<typeof checkGrpc> =>
  checkGrpc(() => connect(port, '127.0.0.1'), `127.0.0.1:${port}`, service, 5000);

test('a service that serves', async () => {
  assert.deepEqual(await ask(''), { ok: true, message: '' });
  assert.deepEqual(await ask('up'), { ok: true, message: '' });
});

test('one that does not, and one that is not known', async () => {
  assert.equal((await ask('down')).ok, false);
  assert.match((await ask('other')).message, /status 5/);
});

test('nobody there', async () => {
  const { ok } = await checkGrpc(() => connect(1, '127.0.0.1'), '127.0.0.1:1', '', 2000);
  assert.equal(ok, false);
});
