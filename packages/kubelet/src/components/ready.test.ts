import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createCa } from '@podvisor/kube';
import { notReady } from './ready.ts';

const { certificate, key } = createCa({ commonName: 'component', now: Date.now() });
const server = createServer(
  { cert: certificate, key, requestCert: true, rejectUnauthorized: false },
  (request, response) => response.writeHead(request.url === '/readyz' ? 200 : 503).end('{}'),
);
const at = (readyPath: string, port = (server.address() as AddressInfo).port) =>
  notReady(
    { endpoint: { host: '127.0.0.1', port, network: 'machine' }, readyPath },
    { nodeNetns: undefined },
  );

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => void server.close());

test('ready, not ready, not there', async () => {
  assert.equal(await at('/readyz'), undefined);
  assert.equal(await at('/healthz'), '/healthz answers 503');
  assert.match((await at('/readyz', 1)) ?? '', /ECONNREFUSED/);
});
