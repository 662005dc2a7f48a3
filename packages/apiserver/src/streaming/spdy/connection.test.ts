import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { constants, createDeflate } from 'node:zlib';
import { SpdyConnection, type SpdyStream } from './connection.ts';
import { dictionary } from './dictionary.ts';

/** Two ends of a connection in memory. */
function pair(): [Duplex, Duplex] {
  const left: Duplex = new Duplex({
    read: () => undefined,
    write: (chunk, _e, done) => (right.push(chunk), done()),
  });
  const right: Duplex = new Duplex({
    read: () => undefined,
    write: (chunk, _e, done) => (left.push(chunk), done()),
  });
  return [left, right];
}

test('a stream with headers carries data both ways', async () => {
  const [client, server] = pair();
  const opened = new Promise<SpdyStream>((resolve) => new SpdyConnection(server, resolve));
  client.write(await synStream(1, { streamtype: 'stdin' }));
  const stream = await opened;
  assert.equal(stream.headers.get('streamtype'), 'stdin');
  client.write(Buffer.concat([Buffer.from([0, 0, 0, 1, 1, 0, 0, 2]), Buffer.from('hi')]));
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  assert.equal(Buffer.concat(chunks).toString(), 'hi');
});

/** Resolves when the server hung up. */
function closed(server: Duplex): Promise<void> {
  return new Promise((resolve) => server.once('close', resolve));
}
const dataFrame = (flags: number, body: Buffer): Buffer => {
  const head = Buffer.from([0, 0, 0, 1, flags, 0, 0, 0]);
  head.writeUIntBE(body.length, 5, 3);
  return Buffer.concat([head, body]);
};

test('data after the end of a stream is dropped, and harms nobody', async () => {
  const [client, server] = pair();
  const opened = new Promise<SpdyStream>((resolve) => new SpdyConnection(server, resolve));
  client.write(await synStream(1, { streamtype: 'stdin' }));
  const stream = await opened;
  for (const body of ['one', 'two']) client.write(dataFrame(1, Buffer.from(body)));
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  assert.equal(Buffer.concat(chunks).toString(), 'one');
  assert.equal(server.destroyed, false);
});

test('a stream that nobody reads makes the client wait, until somebody does', async () => {
  const [client, server] = pair();
  const opened = new Promise<SpdyStream>((resolve) => new SpdyConnection(server, resolve));
  client.write(await synStream(1, { streamtype: 'stdin' }));
  const stream = await opened;
  const paused = new Promise<void>((resolve) => server.once('pause', () => resolve()));
  client.write(dataFrame(0, Buffer.alloc(2 * 1024 * 1024)));
  await paused;
  stream.resume();
  await new Promise<void>((resolve) => server.once('resume', () => resolve()));
});

test('a stream is opened once: a second of its number ends the connection', async () => {
  const [client, server] = pair();
  const end = closed(server);
  new SpdyConnection(server, () => undefined);
  const open = await synStream(1, { a: 'b' });
  client.write(Buffer.concat([open, open]));
  await end;
});

test('headers that unpack to a thousand times their size end the connection', async () => {
  const [client, server] = pair();
  const end = closed(server);
  new SpdyConnection(server, () => assert.fail('no stream is opened'));
  client.write(await synStream(1, { a: 'x'.repeat(4 * 1024 * 1024) }));
  await end;
});

function synStream(id: number, headers: Record<string, string>): Promise<Buffer> {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const text = (value: string): Buffer => Buffer.concat([number(value.length), Buffer.from(value)]);
  const entries = Object.entries(headers);
  const block = Buffer.concat([
    number(entries.length),
    ...entries.flatMap(([key, value]) => [text(key), text(value)]),
  ]);
  const deflate = createDeflate({ dictionary });
  return new Promise((resolve) => {
    deflate.write(block, () =>
      deflate.flush(constants.Z_SYNC_FLUSH, () => {
        const compressed = deflate.read() as Buffer;
        const head = Buffer.alloc(18);
        head.writeUInt16BE(0x8003, 0);
        head.writeUInt16BE(1, 2);
        head.writeUIntBE(10 + compressed.length, 5, 3);
        head.writeUInt32BE(id, 8);
        resolve(Buffer.concat([head, compressed]));
      }),
    );
  });
}
