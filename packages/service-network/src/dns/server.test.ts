import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startDnsServer } from './server.ts';

test('answers over UDP and TCP, and lives through garbage', async () => {
  const errors: Error[] = [];
  const server = await startDnsServer({
    address: '127.0.0.1',
    port: 0,
    answer: async (query) => (query.length < 12 ? undefined : Uint8Array.from(query).reverse()),
    onError: (error) => errors.push(error),
  });
  try {
    const query = Buffer.from('0123456789abcdef');
    const udp = createSocket('udp4');
    udp.send(Buffer.alloc(3), server.port, '127.0.0.1');
    udp.send(query, server.port, '127.0.0.1');
    const [answer] = (await once(udp, 'message')) as [Buffer];
    udp.close();
    assert.equal(answer.toString(), 'fedcba9876543210');

    const tcp = connect(server.port, '127.0.0.1');
    // Two queries in three pieces.
    const framed = Buffer.concat([Buffer.from([0, query.length]), query]);
    tcp.write(framed.subarray(0, 5));
    tcp.write(Buffer.concat([framed.subarray(5), framed]));
    let heard = Buffer.alloc(0);
    while (heard.length < 2 * framed.length)
      heard = Buffer.concat([heard, ((await once(tcp, 'data')) as [Buffer])[0]]);
    assert.equal(heard.subarray(2, 18).toString(), 'fedcba9876543210');
    // A length that no query has: the connection ends.
    tcp.write(Buffer.from([0xff, 0xff, 1]));
    await once(tcp, 'close');
    assert.deepEqual(errors, []);
  } finally {
    await server.close();
  }
});
