/** Our side of HTTP/2 against Node's, and against clients that break its rules. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { CODE, FRAME, frameHeader, numbersFrame, SETTING } from './frame.ts';
import { Http2Session, type StreamHandler } from './session.ts';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const settings = frameHeader(FRAME.settings, 0, 0, 0);

function settingFrame(id: number, value: number): Buffer {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(id, 0);
  payload.writeUInt32BE(value, 2);
  return Buffer.concat([frameHeader(FRAME.settings, 0, 0, payload.length), payload]);
}

describe('HTTP/2 on a socket', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-http2-'));
  const path = join(directory, 's');
  let handler: StreamHandler = () => {};
  let session: Http2Session | undefined;
  let server: Server;
  const clients: (ClientHttp2Session | Socket)[] = [];

  before(async () => {
    server = createServer((socket) => {
      session = new Http2Session(socket, (stream, headers) => handler(stream, headers));
    });
    await new Promise<void>((resolve) => server.listen({ path }, resolve));
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });
  after(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });

  const nodes = (): ClientHttp2Session => {
    const client = connect('http://localhost', { createConnection: () => createConnection({ path }) });
    clients.push(client);
    client.on('error', () => {});
    return client;
  };
  const bodyOf = async (stream: ClientHttp2Stream): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };

  test('headers with every printable character, a large body both ways, trailers', async () => {
    const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i)).join('');
    let seen: ReadonlyMap<string, string> = new Map();
    handler = (stream, headers) => {
      seen = headers;
      stream.respond([[':status', '200']]);
      stream.listen({
        data: (bytes) => void stream.write(bytes, () => {}),
        inputEnd: () => stream.end([['x-end', 'y'.repeat(40_000)]]),
        close: () => {},
      });
    };
    const stream = nodes().request({ ':method': 'POST', ':path': '/a b', 'x-all': `a${printable}a` });
    const trailers = new Promise<unknown>((resolve) =>
      stream.once('trailers', (all) => resolve(all['x-end'])),
    );
    const sent = Buffer.alloc(1_000_000, 'abcdefg');
    stream.end(sent);
    assert.ok((await bodyOf(stream)).equals(sent));
    assert.equal(await trailers, 'y'.repeat(40_000));
    assert.deepEqual([seen.get(':path'), seen.get('x-all')], ['/a b', `a${printable}a`]);
  });

  test('a stream that is paused holds its client up, and others go on', async () => {
    const received = new Map<string, number>();
    let resume = (): void => {};
    handler = (stream, headers) => {
      const name = headers.get(':path') ?? '';
      if (name === '/slow') {
        stream.pause();
        resume = () => stream.resume();
      }
      stream.listen({
        data: ({ length }) => void received.set(name, (received.get(name) ?? 0) + length),
        inputEnd: () => stream.respond([[':status', '200']], true),
        close: () => {},
      });
    };
    const client = nodes();
    const ask = (name: string): Promise<Buffer> => {
      const stream = client.request({ ':method': 'POST', ':path': name });
      stream.end(Buffer.alloc(300_000));
      return bodyOf(stream);
    };
    const slow = ask('/slow');
    await ask('/fast');
    assert.deepEqual([received.get('/fast'), received.get('/slow')], [300_000, 65_535]);
    resume();
    await slow;
    assert.equal(received.get('/slow'), 300_000);
  });

  test('what is written waits for the client to read: drained only then', async () => {
    const drained = Promise.withResolvers<void>();
    let flushed = 0;
    handler = (stream) => {
      stream.respond([[':status', '200']]);
      assert.equal(
        stream.write(Buffer.alloc(200_000), () => void (flushed += 1)),
        false,
      );
      stream.onDrain(() => {
        drained.resolve();
        stream.end([]);
      });
    };
    const stream = nodes().request({ ':path': '/' });
    await new Promise((resolve) => stream.once('response', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(flushed, 0);
    const body = await bodyOf(stream);
    await drained.promise;
    assert.deepEqual([body.length, flushed], [200_000, 1]);
  });

  test('a call that the client cancels is told to its handler', async () => {
    const closed = Promise.withResolvers<void>();
    handler = (stream) => {
      stream.listen({ data: () => {}, inputEnd: () => {}, close: closed.resolve });
      stream.respond([[':status', '200']]);
    };
    const stream = nodes().request({ ':method': 'POST', ':path': '/' }, { endStream: false });
    await new Promise((resolve) => stream.once('response', resolve));
    stream.close(8);
    await closed.promise;
  });

  test('a goodbye lets what is under way end, and refuses what comes then', async () => {
    let end = (): void => {};
    handler = (stream) => {
      end = () => stream.respond([[':status', '200']], true);
      session?.close();
    };
    const client = nodes();
    const ended = new Promise((resolve) => client.once('close', resolve));
    const stream = client.request({ ':path': '/' });
    await new Promise((resolve) => client.once('goaway', resolve));
    end();
    await bodyOf(stream);
    await ended;
  });

  for (const [what, code, bytes] of [
    ['no HTTP/2', CODE.protocol, Buffer.from('GET / HTTP/1.1\r\n\r\n12345678901234567890')],
    ['a frame that is too long', CODE.frameSize, [settings, frameHeader(FRAME.data, 0, 1, 20_000)]],
    ['data of a stream that was not begun', CODE.protocol, [settings, frameHeader(FRAME.data, 0, 1, 0)]],
    [
      'headers that are none',
      CODE.compression,
      [settings, frameHeader(FRAME.headers, 5, 1, 1), Buffer.from([0xff])],
    ],
    [
      'a stream with an even number',
      CODE.protocol,
      [settings, frameHeader(FRAME.headers, 5, 2, 1), Buffer.from([0x84])],
    ],
    [
      'a header block that is interrupted',
      CODE.protocol,
      [settings, frameHeader(FRAME.headers, 0, 1, 1), Buffer.from([0x84]), settings],
    ],
    [
      'headers without an end',
      CODE.calm,
      [
        settings,
        frameHeader(FRAME.headers, 0, 1, 0),
        ...Array.from({ length: 5 }, () =>
          Buffer.concat([frameHeader(FRAME.continuation, 0, 1, 16_384), Buffer.alloc(16_384)]),
        ),
      ],
    ],
    [
      'a window of an impossible size',
      CODE.flowControl,
      [settings, numbersFrame(FRAME.windowUpdate, 0, 0x7f_ff_ff_ff)],
    ],
    [
      'frames of no bytes at most, in which no answer ends',
      CODE.protocol,
      [settingFrame(SETTING.maxFrame, 0), frameHeader(FRAME.headers, 5, 1, 1), Buffer.from([0x84])],
    ],
    [
      'settings that make a window impossible',
      CODE.flowControl,
      [
        settings,
        frameHeader(FRAME.headers, 4, 1, 1),
        Buffer.from([0x84]),
        numbersFrame(FRAME.windowUpdate, 1, 0x7f_ff_00_00),
        settingFrame(SETTING.initialWindow, 0x7f_ff_ff_ff),
      ],
    ],
    ['a push', CODE.protocol, [settings, frameHeader(FRAME.pushPromise, 0, 1, 0)]],
  ] as const)
    test(`ends the connection: ${what}`, async () => {
      handler = (stream) => stream.respond([[':status', '200']], true);
      const socket = createConnection({ path });
      clients.push(socket);
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('error', () => {});
      const ended = new Promise((resolve) => socket.once('close', resolve));
      socket.write(Array.isArray(bytes) ? Buffer.concat([PREFACE, ...bytes]) : (bytes as Buffer));
      await ended;
      const said = Buffer.concat(chunks);
      assert.equal(said.readUInt32BE(said.length - 4), code, 'the last word is why');
    });
});
