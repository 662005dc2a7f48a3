/** Connections that clients upgrade to: exec, attach and port-forward over websocket and SPDY. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { constants, deflateSync } from 'node:zlib';
import { type WebSocket, WebSocketServer } from 'ws';
import { SpdyConnection } from '../../../packages/apiserver/src/streaming/spdy/connection.ts';
import { dictionary } from '../../../packages/apiserver/src/streaming/spdy/dictionary.ts';
import { websocketStreams } from '../../../packages/apiserver/src/streaming/websocket-streams.ts';
import { expect, type FuzzTarget } from '../frame/target.ts';
import { Wire } from './duplex.ts';

const options = { stdin: true, stdout: true, stderr: true, tty: true, container: 'c', command: [] };

/** A frame of a client: masked with zeros, so that its bytes are its text. */
const frame = (opcode: number, body: readonly number[], fin = 0x80): number[] => [
  fin | opcode,
  0x80 | body.length,
  0,
  0,
  0,
  0,
  ...body,
];
const resize = [4, ...Buffer.from('{"Width":80,"Height":24}')];

const server = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });

export const websocket: FuzzTarget = {
  seeds: [
    [...frame(2, [0, 104, 105]), ...frame(2, resize), ...frame(9, [1]), ...frame(8, [3, 232])],
    [...frame(2, [0], 0), ...frame(0, [104]), ...frame(2, [255, 0]), ...frame(1, [48])],
  ].map((bytes) => Uint8Array.from(bytes)),
  words: [
    frame(2, resize),
    frame(8, []),
    frame(9, []),
    frame(10, []),
    frame(2, [255, 0]),
    [0x82, 0xfe, 0xff, 0xff],
    [0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0],
  ].map((bytes) => Uint8Array.from(bytes)),
  refuses: () => false,
  feed: async (input) => {
    const wire = new Wire();
    const request = new IncomingMessage(new Socket());
    request.method = 'GET';
    request.headers = {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-version': '13',
    };
    server.handleUpgrade(request, wire, Buffer.alloc(0), (socket: WebSocket) => {
      const remote = websocketStreams(socket, options);
      remote.stdin?.resume();
      remote.onResize((columns, rows) =>
        expect(columns >= 0 && rows >= 0 && columns < 65_536 && rows < 65_536, 'a terminal has a size'),
      );
    });
    await wire.send(input);
  },
};

function headers(entries: Readonly<Record<string, string>>): Buffer {
  const number = (value: number): Buffer => Buffer.from([0, 0, value >>> 8, value & 0xff]);
  const word = (value: string): Buffer => Buffer.concat([number(value.length), Buffer.from(value)]);
  const all = Object.entries(entries);
  const block = Buffer.concat([
    number(all.length),
    ...all.flatMap(([key, value]) => [word(key), word(value)]),
  ]);
  return deflateSync(block, { dictionary, finishFlush: constants.Z_SYNC_FLUSH });
}

function synStream(id: number, entries: Readonly<Record<string, string>>): Buffer {
  const compressed = headers(entries);
  const head = Buffer.alloc(18);
  head.writeUInt16BE(0x8003, 0);
  head.writeUInt16BE(1, 2);
  head.writeUIntBE(10 + compressed.length, 5, 3);
  head.writeUInt32BE(id, 8);
  return Buffer.concat([head, compressed]);
}

const data = (id: number, flags: number, body: string): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, id, flags, 0, 0, body.length]), Buffer.from(body)]);
const ping = Buffer.from([0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1]);
const reset = Buffer.from([0x80, 3, 0, 3, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 5]);

export const spdy: FuzzTarget = {
  seeds: [
    Buffer.concat([synStream(1, { streamtype: 'stdin' }), data(1, 0, 'hi'), ping, data(1, 1, ''), reset]),
    Buffer.concat([synStream(1, { streamtype: 'error', port: '80' }), reset, data(3, 1, 'x')]),
  ],
  words: [
    synStream(3, { streamtype: 'data' }),
    synStream(1, {}),
    data(1, 1, 'x'),
    data(1, 0, 'x'),
    ping,
    reset,
    headers({ a: 'b' }),
  ],
  refuses: () => false,
  feed: async (input) => {
    const wire = new Wire();
    new SpdyConnection(wire, (stream) => {
      stream.resume();
      stream.on('end', () => stream.end('bye'));
    });
    await wire.send(input);
    expect(wire.answered <= 64 * 1024 + input.length * 64, 'an answer is not many times its question');
  },
};
