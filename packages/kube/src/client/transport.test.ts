import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import tls from 'node:tls';
import { createCa, issueCertificate } from '../pki/certificate.ts';
import { Transport } from './transport.ts';

test('connections share what certificates were made into, until the credentials change', async (t) => {
  const now = Date.now();
  const ca = createCa({ commonName: 'test', now });
  const leaf = issueCertificate(ca, { commonName: 'server', names: ['127.0.0.1'], usages: ['server'], now });
  const server = createServer({ cert: leaf.certificate, key: leaf.key }, (_, response) => {
    response.write('{}'); // a watch: the connection stays taken
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const made = t.mock.method(tls, 'createSecureContext');
  syncBuiltinESMExports();
  t.after(syncBuiltinESMExports);
  const access = {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: ca.certificate,
  };
  let current = access;
  const transport = new Transport({ current: () => current });
  t.after(() => transport.close());
  const watch = async (): Promise<void> => {
    const { body } = await transport.send({ method: 'GET', path: '/', streaming: true });
    body.on('error', () => {}); // ends with the transport
  };
  await watch();
  await watch();
  assert.equal(made.mock.callCount(), 1, 'two connections');
  current = { ...access };
  await watch();
  assert.equal(made.mock.callCount(), 2, 'renewed credentials');
});
