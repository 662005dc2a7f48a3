/** A guest agent says which address a VMI has; port-forward must not dial the machine of virt-api for it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { World } from './testing/world.ts';

function vmi(ipAddress: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'hello', namespace: 'default' },
    spec: { domain: { devices: {} } },
    status: { phase: 'Running', nodeName: 'node-1', interfaces: [{ name: 'default', ipAddress }] },
  };
}

const own = Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address));

test('no way to write an address of the machine opens a port of it', async () => {
  await using world = await new World().start();
  let reached = 0;
  const secret = createServer((socket) => {
    reached += 1;
    socket.end();
  });
  secret.listen(0, '::');
  await once(secret, 'listening');
  try {
    const { port } = secret.address() as AddressInfo;
    for (const address of [
      ...['127.0.0.1', '2130706433', '0177.0.0.1', '127.1', '0', '0.0.0.0', 'localhost', 'localhost.'],
      ...['::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:1', '0:0:0:0:0:0:0:1'],
      ...['169.254.169.254', 'fe80::1%lo', '224.0.0.1', '[::1]', '127.0.0.1 ', 'a'.repeat(300)],
      ...own,
    ]) {
      world.store('virtualmachineinstances', vmi(address));
      const path = `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/hello/portforward/${port}`;
      const socket = world.webSocket(path);
      socket.on('error', () => undefined);
      const code = await new Promise((resolve) => {
        socket.once('open', () => resolve('opened'));
        socket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
      });
      assert.ok(code === 400 || code === 500, `${address}: ${String(code)}`);
      socket.terminate();
    }
    assert.equal(reached, 0);
  } finally {
    secret.close();
  }
});
