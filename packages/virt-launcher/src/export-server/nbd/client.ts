/**
 * A reader of one NBD export over a unix socket: its bytes, and which of them matter. Speaks the fixed newstyle
 * handshake with structured replies (the NBD project's doc/proto.md); the server is QEMU, whose words are bounded
 * all the same.
 */
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { ByteReader } from './byte-reader.ts';

const OPTION_MAGIC = 0x49484156454f5054n;
const REPLY_MAGIC = 0x3e889045565a9n;
const REQUEST_MAGIC = 0x25609513;
const CHUNK_MAGIC = 0x668e33ef;
const FIXED_NEWSTYLE_NO_ZEROES = 3;
const OPTION = { go: 7, structuredReply: 8, setMetaContext: 10 } as const;
const REPLY = { ack: 1, info: 3, metaContext: 4, error: 0x80000000 } as const;
const COMMAND = { read: 0, disconnect: 2, blockStatus: 7 } as const;
const CHUNK = { none: 0, data: 1, hole: 2, blockStatus: 5, error: 0x8000 } as const;
const CHUNK_DONE = 1;
const MAX_OPTION_BYTES = 64 * 1024;
/** What one read asks for. */
const READ_BYTES = 1024 * 1024;
/** Of all chunks of one answer with their headers: of what one read asks for, or of the ranges that QEMU tells at once. */
const MAX_ANSWER_BYTES = 2 * READ_BYTES;
const CHUNK_HEADER_BYTES = 20;
/** The longest range whose status one question asks for. */
const STATUS_BYTES = 2 ** 30;

/** A range of the export and its flags in the chosen context. */
export interface NbdExtent {
  readonly offset: number;
  readonly length: number;
  readonly flags: number;
}

export class NbdReader implements Disposable {
  readonly #socket: Socket;
  readonly #reader: ByteReader;
  readonly sizeBytes: number;

  private constructor(socket: Socket, reader: ByteReader, sizeBytes: number) {
    this.#socket = socket;
    this.#reader = reader;
    this.sizeBytes = sizeBytes;
  }

  /** `context`: what `extents` tells about, e.g. `base:allocation`. */
  static async open(path: string, exportName: string, context: string): Promise<NbdReader> {
    const socket = await dial(path);
    try {
      const reader = new ByteReader(socket);
      const greeting = await reader.read(18);
      if (greeting.toString('latin1', 0, 16) !== 'NBDMAGICIHAVEOPT') throw new Error('this is no NBD server');
      socket.write(uint32(FIXED_NEWSTYLE_NO_ZEROES));
      await option(socket, reader, OPTION.structuredReply, Buffer.alloc(0));
      const name = text(exportName);
      const contexts = await option(
        socket,
        reader,
        OPTION.setMetaContext,
        Buffer.concat([name, uint32(1), text(context)]),
      );
      if (!contexts.some(({ type }) => type === REPLY.metaContext))
        throw new Error(`export ${exportName} does not tell ${context}`);
      const replies = await option(socket, reader, OPTION.go, Buffer.concat([name, Buffer.alloc(2)]));
      const info = replies.find(
        ({ type, data }) => type === REPLY.info && data.length >= 10 && data.readUInt16BE(0) === 0,
      );
      if (info === undefined) throw new Error(`the size of export ${exportName} was not told`);
      const size = info.data.readBigUInt64BE(2);
      if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error(`export ${exportName} has ${size} bytes`);
      return new NbdReader(socket, reader, Number(size));
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** The bytes of a range, piece by piece. */
  async *read(offset: number, length: number): AsyncGenerator<Buffer> {
    const end = offset + length;
    for (let at = offset; at < end; at += READ_BYTES)
      yield await this.#piece(at, Math.min(READ_BYTES, end - at));
  }

  /** Ranges and their flags, in order; neighbours with the same flags are one. */
  async *extents(offset: number, length: number): AsyncGenerator<NbdExtent> {
    const end = offset + length;
    let pending: NbdExtent | undefined;
    for (let at = offset; at < end; ) {
      const from = at;
      for (const { length: size, flags } of await this.#status(at, Math.min(STATUS_BYTES, end - at))) {
        const kept = Math.min(size, end - at);
        if (kept === 0) break;
        if (pending !== undefined && pending.flags === flags)
          pending = { ...pending, length: pending.length + kept };
        else {
          if (pending !== undefined) yield pending;
          pending = { offset: at, length: kept, flags };
        }
        at += kept;
      }
      if (at === from) throw new Error('the server tells nothing about a range');
    }
    if (pending !== undefined) yield pending;
  }

  async #piece(offset: number, length: number): Promise<Buffer> {
    const piece = Buffer.alloc(length);
    for await (const { type, data } of this.#ask(COMMAND.read, offset, length)) {
      if (type !== CHUNK.data) continue; // a hole is zeros, which are there
      const place = Number(data.readBigUInt64BE(0)) - offset;
      if (place < 0 || place + data.length - 8 > length)
        throw new Error('the server sent other bytes than asked');
      data.copy(piece, place, 8);
    }
    return piece;
  }

  async #status(offset: number, length: number): Promise<readonly Omit<NbdExtent, 'offset'>[]> {
    const found: Omit<NbdExtent, 'offset'>[] = [];
    for await (const { type, data } of this.#ask(COMMAND.blockStatus, offset, length)) {
      if (type !== CHUNK.blockStatus) continue;
      for (let at = 4; at + 8 <= data.length; at += 8)
        found.push({ length: data.readUInt32BE(at), flags: data.readUInt32BE(at + 4) });
    }
    return found;
  }

  /** One request at a time: the chunks that follow are its answer. */
  async *#ask(
    command: number,
    offset: number,
    length: number,
  ): AsyncGenerator<{ readonly type: number; readonly data: Buffer }> {
    this.#socket.write(request(command, offset, length));
    for (let left = MAX_ANSWER_BYTES; ; ) {
      const header = await this.#reader.read(CHUNK_HEADER_BYTES);
      if (header.readUInt32BE(0) !== CHUNK_MAGIC) throw new Error('the server answered in another form');
      const flags = header.readUInt16BE(4);
      const type = header.readUInt16BE(6);
      const size = header.readUInt32BE(16);
      left -= CHUNK_HEADER_BYTES + size;
      if (left < 0) throw new Error('the server sent more than asked');
      const data = await this.#reader.read(size);
      if ((type & CHUNK.error) !== 0)
        throw new Error(
          `the server refused with error ${data.length < 4 ? 'of no number' : data.readUInt32BE(0)}`,
        );
      if (type === CHUNK.data && data.length < 8) throw new Error('the server sent data without a place');
      yield { type, data };
      if ((flags & CHUNK_DONE) !== 0) return;
    }
  }

  [Symbol.dispose](): void {
    this.#socket.end(request(COMMAND.disconnect, 0, 0));
    this.#socket.destroySoon();
  }
}

/** Through a handle of the directory: the path of a socket ends at 107 bytes. */
async function dial(path: string): Promise<Socket> {
  const directory = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const socket = connect(`/proc/self/fd/${directory}/${basename(path)}`);
    await once(socket, 'connect');
    return socket;
  } finally {
    closeSync(directory);
  }
}

/** Sends an option; answers what came before its acknowledgement. */
async function option(
  socket: Socket,
  reader: ByteReader,
  code: number,
  data: Buffer,
): Promise<readonly { readonly type: number; readonly data: Buffer }[]> {
  const header = Buffer.alloc(16);
  header.writeBigUInt64BE(OPTION_MAGIC, 0);
  header.writeUInt32BE(code, 8);
  header.writeUInt32BE(data.length, 12);
  socket.write(Buffer.concat([header, data]));
  const replies: { readonly type: number; readonly data: Buffer }[] = [];
  for (;;) {
    const reply = await reader.read(20);
    if (reply.readBigUInt64BE(0) !== REPLY_MAGIC) throw new Error('the server answered in another form');
    const type = reply.readUInt32BE(12);
    const size = reply.readUInt32BE(16);
    if (size > MAX_OPTION_BYTES || replies.length > 64) throw new Error('the server sent more than asked');
    const body = await reader.read(size);
    if (type === REPLY.ack) return replies;
    if (type >= REPLY.error) throw new Error(`the server refused: ${body.toString('utf8').slice(0, 200)}`);
    replies.push({ type, data: body });
  }
}

function request(command: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(28);
  bytes.writeUInt32BE(REQUEST_MAGIC, 0);
  bytes.writeUInt16BE(command, 6);
  bytes.writeBigUInt64BE(BigInt(offset), 16);
  bytes.writeUInt32BE(length, 24);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
}
