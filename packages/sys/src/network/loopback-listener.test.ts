import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { loopbackListener } from './loopback-listener.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:1935 00000000:0000 0A 00000000:00000000 00:00000000 00000000     1        0 1 1 0 100 0 0 10 0
   1: 0100007F:1936 0100007F:9999 01 00000000:00000000 00:00000000 00000000     2        0 2 1 0 20 4 30 10 -1
   2: 0100007F:1936 00000000:0000 0A 00000000:00000000 00:00000000 00000000 70003        0 3 1 0 100 0 0 10 0
`;

test('the user of a listener of the loopback, in the words of the kernel', () => {
  assert.equal(loopbackListener(0x1936, TABLE), 70_003);
  assert.equal(loopbackListener(0x1935, TABLE), undefined); // on all addresses
  assert.equal(loopbackListener(0x9999, TABLE), undefined);
});

test('as this machine has it now', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  assert.equal(loopbackListener(port), process.getuid?.());
  server.close();
  await once(server, 'close');
  assert.equal(loopbackListener(port), undefined);
});
