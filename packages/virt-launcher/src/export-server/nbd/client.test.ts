import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ByteReader } from './byte-reader.ts';
import { NbdReader } from './client.ts';

const SIZE = 4096;

function numbers(...fields: readonly (readonly [bytes: 2 | 4 | 8, value: number | bigint])[]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex')),
  );
}
const reply = (option: number, type: number, data: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([numbers([8, 0x3e889045565a9n], [4, option], [4, type], [4, data.length]), data]);
const chunk = (flags: number, type: number, data: Buffer): Buffer =>
  Buffer.concat([numbers([4, 0x668e33ef], [2, flags], [2, type], [8, 0], [4, data.length]), data]);

/** A server that shakes hands as QEMU does, and then says `answer` again and again, however it is asked. */
async function talk(socket: Socket, answer: Buffer): Promise<void> {
  const reader = new ByteReader(socket);
  socket.write(Buffer.concat([Buffer.from('NBDMAGICIHAVEOPT'), numbers([2, 3])]));
  await reader.read(4);
  for (let option = 0; option !== 7; ) {
    const head = await reader.read(16);
    option = head.readUInt32BE(8);
    await reader.read(head.readUInt32BE(12));
    if (option === 10) socket.write(reply(option, 4, Buffer.from('0000base')));
    if (option === 7) socket.write(reply(option, 3, numbers([2, 0], [8, SIZE], [2, 0])));
    socket.write(reply(option, 1));
  }
  await reader.read(28);
  while (!socket.destroyed) if (!socket.write(answer)) await once(socket, 'drain');
}

async function whileTalking(answer: Buffer, read: (disk: NbdReader) => Promise<unknown>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'pv-nbd-'));
  const server = createServer(
    (socket) =>
      void talk(
        socket.on('error', () => {}),
        answer,
      ).catch(() => {}),
  );
  server.listen(join(home, 'socket'));
  try {
    await once(server, 'listening');
    using disk = await NbdReader.open(join(home, 'socket'), 'disk', 'base:allocation');
    await read(disk);
  } finally {
    server.close();
    rmSync(home, { recursive: true });
  }
}

const nothing = Buffer.concat(Array.from({ length: 1_000 }, () => chunk(0, 2, numbers([8, 0], [4, 1]))));
const first = (disk: NbdReader): Promise<unknown> => disk.extents(0, SIZE).next();
const bytes = (disk: NbdReader): Promise<unknown> => disk.read(0, SIZE).next();

const ends: readonly [what: string, answer: Buffer, read: typeof first, how: RegExp | undefined][] = [
  ['ranges of a disk are told once', chunk(1, 5, numbers([4, 0], [4, SIZE], [4, 1])), first, undefined],
  ['ranges without end', chunk(0, 5, Buffer.alloc(4 + 8 * 100_000)), first, /more than asked/],
  ['bytes that are sent again and again', chunk(0, 1, Buffer.alloc(8 + SIZE)), bytes, /more than asked/],
  ['words that say nothing', nothing, bytes, /more than asked/],
];
for (const [what, answer, read, how] of ends)
  test(`a QEMU that was taken over: ${what}`, { timeout: 10_000 }, async () => {
    if (how === undefined) await whileTalking(answer, read);
    else await assert.rejects(whileTalking(answer, read), how);
  });
