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
