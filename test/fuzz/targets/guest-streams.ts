/** Bytes that a guest or its QEMU writes into channels of the launcher: the metrics channel, NBD replies. */
import { MonitorError, MonitorLines } from '../../../packages/virt-handler/src/qemu-numbers/monitor-lines.ts';
import { diskNumbers } from '../../../packages/virt-handler/src/qemu-numbers/monitor-numbers.ts';
import {
  NOTHING_SAID,
  withAnswers,
  withEvent,
} from '../../../packages/virt-handler/src/qemu-numbers/monitor-questions.ts';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { RequestReader } from '../../../packages/virt-launcher/src/downward-metrics/requests.ts';
import { NbdReader } from '../../../packages/virt-launcher/src/export-server/nbd/client.ts';
import { bytes, expect, type FuzzTarget } from '../frame/target.ts';
import { scratchDirectory } from './scratch.ts';

export const metricsChannel: FuzzTarget = {
  seeds: ['GET /metrics/XML\n\n', 'GET /metrics/XML\r\n\r\nGET /x\n\n'].map(bytes),
  words: ['\n', '\r\n', '\n\n', 'GET ', '/metrics/XML', '?', '\0'],
  longBytes: 512 * 1024,
  refuses: () => false,
  feed: (input) => {
    const reader = new RequestReader();
    const half = input.length >>> 1;
    const asked = [
      ...reader.read(Buffer.from(input.subarray(0, half))),
      ...reader.read(Buffer.from(input.subarray(half))),
    ];
    expect(asked.length <= input.length / 2 + 1, 'a request has at least two lines');
  },
};

export const qemuMonitor: FuzzTarget = {
  seeds: [
    '{"QMP":{}}\r\n{"return":{}}\r\n',
    '{"return":[{"qdev":"/machine/peripheral/ua-root/virtio-backend","stats":{"rd_bytes":1}}],"id":0}\n',
    '{"event":"BALLOON_CHANGE","data":{"actual":1}}\n{"return":{"actual":1},"id":1}\n{"return":{"stats":{"stat-swap-in":1}},"id":2}\n',
  ].map(bytes),
  words: [
    '\n',
    '\r\n',
    '{}',
    '[]',
    '"stats":',
    '"qdev":"ua-a"',
    '"__proto__":',
    '18446744073709551615',
    '-1',
  ],
  longBytes: 5 * 1024 * 1024,
  refuses: (error) => error instanceof MonitorError,
  feed: (input) => {
    const lines = new MonitorLines();
    const half = input.length >>> 1;
    const said = [input.subarray(0, half), input.subarray(half)].flatMap((part) =>
      lines.push(Buffer.from(part)),
    );
    let memory = NOTHING_SAID;
    for (const [i, object] of said.entries()) {
      const answer = object['return'];
      memory = withEvent(
        withAnswers(memory, ['disks', 'balloon', 'guest'], [answer, answer, answer], i),
        object,
      );
      for (const [name, value] of Object.entries({
        ...diskNumbers(answer),
        ...memory.balloon,
        ...memory.guest,
      }))
        expect(
          name.endsWith('.volume') || (typeof value === 'number' && Number.isFinite(value) && value >= 0),
          'all but names of volumes are counts',
        );
    }
  },
};

const reply = (type: number, body: Uint8Array): Uint8Array => {
  const head = Buffer.alloc(20);
  head.writeBigUInt64BE(0x3e889045565a9n, 0);
  head.writeUInt32BE(type, 12);
  head.writeUInt32BE(body.length, 16);
  return Buffer.concat([head, body]);
};
const chunk = (type: number, flags: number, body: Uint8Array): Uint8Array => {
  const head = Buffer.alloc(20);
  head.writeUInt32BE(0x668e33ef, 0);
  head.writeUInt16BE(flags, 4);
  head.writeUInt16BE(type, 6);
  head.writeUInt32BE(body.length, 16);
  return Buffer.concat([head, body]);
};
const status = Buffer.from([0, 0, 0, 1, 0, 0, 4, 0, 0, 0, 0, 1, 0, 0, 4, 0, 0, 0, 0, 0]);
const conversation = Buffer.concat([
  bytes('NBDMAGICIHAVEOPT'),
  Uint8Array.of(0, 3),
  reply(1, new Uint8Array()),
  reply(4, bytes('\0\0\0\x01base:allocation')),
  reply(1, new Uint8Array()),
  reply(3, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0)),
  reply(1, new Uint8Array()),
  chunk(5, 1, status),
  chunk(1, 1, Buffer.concat([Buffer.alloc(8), Buffer.alloc(512, 7)])),
]);

const socketPath = join(scratchDirectory('nbd'), 's');
let answer: Uint8Array = new Uint8Array();
const server: Server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.resume();
  socket.end(Buffer.from(answer));
});
await new Promise<void>((resolve) => server.listen(socketPath, resolve));
server.unref();

export const nbd: FuzzTarget = {
  seeds: [conversation],
  words: [
    reply(1, new Uint8Array()),
    reply(3, new Uint8Array(12)),
    chunk(5, 1, status),
    chunk(2, 0, new Uint8Array(12)),
    chunk(0x8001, 1, new Uint8Array(6)),
    Uint8Array.of(0xff, 0xff, 0xff, 0xff),
  ],
  refuses: (error) =>
    error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError),
  feed: async (input) => {
    answer = input;
    using reader = await NbdReader.open(socketPath, 'disk', 'base:allocation');
    const length = Math.min(reader.sizeBytes, 512);
    let told = 0;
    for await (const extent of reader.extents(0, Math.min(reader.sizeBytes, 2048))) told += extent.length;
    expect(told <= 2048, 'nothing is told beyond what was asked');
    for await (const piece of reader.read(0, length)) expect(piece.length <= 512, 'nor sent');
  },
};
