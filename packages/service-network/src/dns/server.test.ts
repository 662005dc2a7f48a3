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

test('one client takes neither the queries nor the connections of the others', async () => {
  const hanging = new Promise<undefined>(() => undefined);
  const server = await startDnsServer({
    address: '127.0.0.1',
    port: 0,
    answer: (query) => (query[0] === 0 ? hanging : Promise.resolve(Uint8Array.from(query))),
    onError: () => undefined,
  });
  const [greedy, modest] = [createSocket('udp4'), createSocket('udp4')];
  const connections = [];
  try {
    await new Promise<void>((resolve) => greedy.bind(0, '127.0.0.2', resolve));
    await new Promise<void>((resolve) => modest.bind(0, '127.0.0.3', resolve));
    for (let i = 0; i < 40; i += 1) {
      for (let j = 0; j < 50; j += 1) greedy.send(Buffer.alloc(12), server.port, '127.0.0.1');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const heard = once(modest, 'message', { signal: AbortSignal.timeout(5000) });
    modest.send(Buffer.alloc(12, 1), server.port, '127.0.0.1');
    await heard;

    for (let i = 0; i < 140; i += 1) {
      const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      connections.push(socket.on('error', () => undefined));
      await once(socket, 'connect');
    }
    const own = connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.3' });
    connections.push(own.on('error', () => undefined));
    own.write(Buffer.concat([Buffer.from([0, 12]), Buffer.alloc(12, 1)]));
    await once(own, 'data', { signal: AbortSignal.timeout(5000) });
  } finally {
    for (const socket of connections) socket.destroy();
    greedy.close();
    modest.close();
    await server.close();
  }
});
