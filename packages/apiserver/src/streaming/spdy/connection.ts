/**
 * The part of SPDY/3.1 that Kubernetes clients use: the client opens streams with headers, both sides send
 * data, either side ends its half. There is no flow control on the wire, because the clients do none: a stream that
 * nobody reads stops the whole connection when it holds MAX_WAITING bytes.
 */
import { Duplex } from 'node:stream';
import { createDeflate, createInflate, type Deflate, type Inflate, constants } from 'node:zlib';
import { dictionary } from './dictionary.ts';

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const GOAWAY = 7;
const FIN = 1;
const MAX_FRAME = 16 * 1024 * 1024;
const MAX_STREAMS = 1000;
/** Headers of one stream, unpacked. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Bytes of one stream that nobody has read yet. */
const MAX_WAITING = 1024 * 1024;

/** A stream that the client opened. */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly #send: (data: Buffer, fin: boolean) => void;
  /** Called when the stream wants data again. */
  onDrain: () => void = () => undefined;
  #isFull = false;
  #isComplete = false;

  constructor(id: number, headers: ReadonlyMap<string, string>, send: (data: Buffer, fin: boolean) => void) {
    super({ allowHalfOpen: true, readableHighWaterMark: MAX_WAITING });
    this.id = id;
    this.headers = headers;
    this.#send = send;
  }

  /** A frame of the client; null is its end, and what comes after that is dropped. False: no more for now. */
  receive(data: Buffer | null): boolean {
    if (this.#isComplete || this.destroyed) return true;
    this.#isComplete = data === null;
    this.#isFull = !this.push(data) && data !== null;
    return !this.#isFull;
  }

  override _read(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.onDrain();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send(chunk, false);
    done();
  }

  override _final(done: () => void): void {
    this.#send(Buffer.alloc(0), true);
    done();
  }
}

/** Speaks SPDY on an upgraded connection; `onStream` gets every stream the client opens. */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #streams = new Map<number, SpdyStream>();
  readonly #inflate: Inflate = createInflate({ dictionary });
  readonly #deflate: Deflate = createDeflate({ dictionary });
  #buffer: Buffer = Buffer.alloc(0);
  /** Frames are handled one after the other: header compression has one state for all. */
  #work: Promise<void> = Promise.resolve();

  constructor(socket: Duplex, onStream: (stream: SpdyStream) => void) {
    this.#socket = socket;
    this.#onStream = onStream;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('close', () => this.#end());
    socket.on('error', () => this.#end());
  }

  close(): void {
    this.#socket.end();
  }

  /** Bytes that arrived with the upgrade itself. */
  unshift(head: Buffer): void {
    if (head.length > 0) this.#receive(head);
  }

  #receive(chunk: Buffer): void {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    while (this.#buffer.length >= 8) {
      const length = this.#buffer.readUIntBE(5, 3);
      if (length > MAX_FRAME) {
        this.#socket.destroy();
        return;
      }
      if (this.#buffer.length < 8 + length) return;
      const frame = this.#buffer.subarray(0, 8 + length);
      this.#buffer = this.#buffer.subarray(8 + length);
      this.#work = this.#work.then(() => this.#frame(frame)).catch(() => void this.#socket.destroy());
    }
  }

  async #frame(frame: Buffer): Promise<void> {
    // One frame that is none ends the connection: those that came with it are not looked at any more.
    if (this.#socket.destroyed) return;
    const flags = frame.readUInt8(4);
    const payload = frame.subarray(8);
    if ((frame.readUInt8(0) & 0x80) === 0) {
      this.#data(frame.readUInt32BE(0) & 0x7fffffff, payload, flags);
      return;
    }
    switch (frame.readUInt16BE(2)) {
      case SYN_STREAM:
        await this.#open(payload, flags);
        return;
      case RST_STREAM:
        this.#streams.get(payload.readUInt32BE(0) & 0x7fffffff)?.destroy();
        return;
      case PING:
        this.#socket.write(frame);
        return;
      case GOAWAY:
        return;
      default:
      // Settings, window updates and further headers change nothing here.
    }
  }

  #data(id: number, payload: Buffer, flags: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    if (payload.length > 0 && !stream.receive(Buffer.from(payload))) this.#socket.pause();
    if ((flags & FIN) !== 0) stream.receive(null);
  }

  async #open(payload: Buffer, flags: number): Promise<void> {
    const id = payload.readUInt32BE(0) & 0x7fffffff;
    const headers = parseHeaders(await through(this.#inflate, payload.subarray(10)));
    if (this.#streams.has(id)) throw new Error(`stream ${id} is open already`);
    if (this.#streams.size >= MAX_STREAMS) throw new Error('too many streams');
    const stream = new SpdyStream(id, headers, (data, fin) => this.#sendData(id, data, fin));
    stream.on('error', () => stream.destroy());
    stream.onDrain = () => this.#socket.resume();
    stream.once('close', () => {
      this.#streams.delete(id);
      this.#socket.resume();
    });
    this.#streams.set(id, stream);
    await this.#reply(id);
    if ((flags & FIN) !== 0) stream.receive(null);
    this.#onStream(stream);
  }

  async #reply(id: number): Promise<void> {
    const block = await through(this.#deflate, Buffer.alloc(4));
    const head = Buffer.alloc(12);
    head.writeUInt16BE(0x8003, 0);
    head.writeUInt16BE(SYN_REPLY, 2);
    head.writeUIntBE(4 + block.length, 5, 3);
    head.writeUInt32BE(id, 8);
    this.#socket.write(Buffer.concat([head, block]));
  }

  #sendData(id: number, data: Buffer, fin: boolean): void {
    if (this.#socket.destroyed) return;
    const head = Buffer.alloc(8);
    head.writeUInt32BE(id, 0);
    head.writeUInt8(fin ? FIN : 0, 4);
    head.writeUIntBE(data.length, 5, 3);
    this.#socket.write(Buffer.concat([head, data]));
  }

  #end(): void {
    for (const stream of this.#streams.values()) stream.destroy();
    this.#streams.clear();
    this.#inflate.close();
    this.#deflate.close();
  }
}

/** One block through a (de)compressor that keeps its state; a block of headers has a limit, however small it comes. */
function through(codec: Inflate | Deflate, block: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const collect = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > MAX_HEADER_BYTES) codec.destroy(new Error('the headers of a stream are too long'));
    };
    codec.once('error', reject);
    codec.on('data', collect);
    codec.write(block, () => {
      codec.flush(constants.Z_SYNC_FLUSH, () => {
        codec.off('error', reject);
        codec.off('data', collect);
        resolve(Buffer.concat(chunks));
      });
    });
  });
}

function parseHeaders(block: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 4;
  const text = (): string => {
    const length = block.readUInt32BE(at);
    at += 4 + length;
    return block.subarray(at - length, at).toString();
  };
  for (let count = block.readUInt32BE(0); count > 0; count -= 1) {
    const name = text().toLowerCase();
    headers.set(name, text());
  }
  return headers;
}
