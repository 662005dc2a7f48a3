/** A node that was taken over says in its Lease where virt-api is to ask. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { annotations, type Lease } from '@podvisor/api';
import { HandlerClient } from './handler-client.ts';

const VMI = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { namespace: 'default', name: 'guest' },
  spec: { domain: { devices: {} } },
  status: { nodeName: 'node-1' },
} as const;

test('virt-api asks nobody without TLS, whatever the Lease of a node says', async (t) => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end('a secret of the loopback');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  for (const endpoint of [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port}/secrets?`]) {
    const lease: Lease = { metadata: { annotations: { [annotations.handlerEndpoint]: endpoint } } };
    const client = new HandlerClient({
      client: { get: (async () => lease) as never },
      namespace: 'kubevirt',
      tls: () => ({ clientCert: '', clientKey: '', ca: '' }) as never,
    });
    const signal = AbortSignal.timeout(5_000);
    await assert.rejects(client.call(VMI, 'GET', 'guestosinfo', undefined, signal), /none would/);
    await assert.rejects(client.dial(VMI, 'console', signal), /none would/);
  }
  assert.equal(asked, 0);
});
