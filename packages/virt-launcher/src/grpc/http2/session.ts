/**
 * An HTTP/2 connection on the side of the server (RFC 9113), for clients on a unix socket: no TLS, no push, no
 * priorities. Node's own costs each VM two megabytes, most of it the TLS that it loads. All that a client can make
 * it keep has a bound: streams, headers, windows, and answers that nobody reads.
 */
import type { Socket } from 'node:net';
import {
  CODE,
  ConnectionError,
  contentOf,
  DEFAULT_WINDOW,
  type ErrorCode,
  FLAG,
  FRAME,
  type Frame,
  FrameParser,
  frameHeader,
  MAX_FRAME_BYTES,
  numbersFrame,
  SETTING,
  settingsOf,
} from './frame.ts';
import { type Header, headerBlock, HeaderReader } from './hpack.ts';
import { Http2Stream, type StreamHost } from './stream.ts';

const MAX_STREAMS = 256;
const MAX_HEADER_BYTES = 64 * 1024;
/** Answers to settings and pings that a client does not read. */
const MAX_BACKLOG_BYTES = 1024 * 1024;
const MAX_WINDOW = 0x7f_ff_ff_ff;

export type StreamHandler = (stream: Http2Stream, headers: ReadonlyMap<string, string>) => void;

export class Http2Session {
  readonly #socket: Socket;
  readonly #onStream: StreamHandler;
  readonly #parser = new FrameParser();
  readonly #headers = new HeaderReader();
  readonly #streams = new Map<number, Http2Stream>();
  /** Streams with bytes to send, in turns. */
  readonly #sending = new Set<Http2Stream>();
  readonly #host: StreamHost;
  #lastStream = 0;
  #sendWindow = DEFAULT_WINDOW;
  #receiveWindow = DEFAULT_WINDOW;
  #initialWindow = DEFAULT_WINDOW;
  #maxFrame = MAX_FRAME_BYTES;
  /** A header block whose end has not come. */
  #block: { readonly stream: number; readonly isLast: boolean; bytes: Buffer } | undefined;
  #isClosing = false;

  constructor(socket: Socket, onStream: StreamHandler) {
    this.#socket = socket;
    this.#onStream = onStream;
    this.#host = {
      sendHeaders: (stream, headers, isLast) => this.#sendHeaders(stream, headers, isLast),
      wantsToSend: (stream) => {
        this.#sending.add(stream);
        this.#send();
      },
      giveCredit: (stream, bytes) => this.#write(numbersFrame(FRAME.windowUpdate, stream, bytes)),
      isDone: (stream) => this.#forget(stream),
    };
    this.#write(settingsFrame());
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => this.#send());
    socket.on('error', () => {}); // a client that breaks off is no failure of ours; `close` follows
    socket.on('close', () => {
      for (const stream of [...this.#streams.values()]) this.#forget(stream);
    });
  }

  /** Takes no more streams, and ends with the last that is under way. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#write(numbersFrame(FRAME.goAway, 0, this.#lastStream, CODE.none));
    this.#endIfIdle();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    try {
      for (const frame of this.#parser.push(chunk)) {
        if (this.#socket.destroyed) return;
        this.#handle(frame);
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.#fail(error.code);
    }
  }

  #fail(code: ErrorCode): void {
    this.#isClosing = true;
    this.#write(numbersFrame(FRAME.goAway, 0, this.#lastStream, code));
    this.#socket.destroySoon();
  }

  #handle(frame: Frame): void {
    if (this.#block !== undefined && frame.type !== FRAME.continuation)
      throw new ConnectionError(CODE.protocol, 'a header block was interrupted');
    switch (frame.type) {
      case FRAME.data:
        return this.#data(frame);
      case FRAME.headers:
        return this.#begin(frame);
      case FRAME.continuation:
        return this.#continue(frame);
      case FRAME.reset:
        return this.#reset(frame);
      case FRAME.settings:
        return this.#settings(frame);
      case FRAME.ping:
        return this.#ping(frame);
      case FRAME.windowUpdate:
        return this.#windowUpdate(frame);
      case FRAME.pushPromise:
        throw new ConnectionError(CODE.protocol, 'a client cannot push');
      default:
      // Priorities, goodbyes, and what later versions may bring.
    }
  }

  #data(frame: Frame): void {
    const { length } = frame.payload;
    this.#receiveWindow -= length;
    if (this.#receiveWindow < 0) throw new ConnectionError(CODE.flowControl, 'more than the window allows');
    // What a stream does not read is bound by its own window.
    if (this.#receiveWindow < DEFAULT_WINDOW >> 1) {
      this.#write(numbersFrame(FRAME.windowUpdate, 0, DEFAULT_WINDOW - this.#receiveWindow));
      this.#receiveWindow = DEFAULT_WINDOW;
    }
    const isLast = (frame.flags & FLAG.endStream) !== 0;
    this.#known(frame.stream)?.receive(contentOf(frame), length, isLast);
  }

  /** Absent when it has ended; a stream that never was is an error. */
  #known(stream: number): Http2Stream | undefined {
    if (stream === 0 || stream > this.#lastStream)
      throw new ConnectionError(CODE.protocol, 'a frame of a stream that was not begun');
    return this.#streams.get(stream);
  }

  #begin(frame: Frame): void {
    const bytes = Buffer.from(contentOf(frame));
    this.#block = { stream: frame.stream, isLast: (frame.flags & FLAG.endStream) !== 0, bytes };
    this.#endBlock(frame);
  }

  #continue(frame: Frame): void {
    const block = this.#block;
    if (block?.stream !== frame.stream)
      throw new ConnectionError(CODE.protocol, 'headers that continue nothing');
    block.bytes = Buffer.concat([block.bytes, frame.payload]);
    if (block.bytes.length > MAX_HEADER_BYTES) throw new ConnectionError(CODE.calm, 'too many headers');
    this.#endBlock(frame);
  }

  #endBlock({ flags }: Frame): void {
    const block = this.#block;
    if (block === undefined || (flags & FLAG.endHeaders) === 0) return;
    this.#block = undefined;
    const headers = this.#read(block.bytes);
    if (block.stream <= this.#lastStream) {
      // Trailers of a request: nobody asks for them.
      if (block.isLast) this.#known(block.stream)?.endInput();
      return;
    }
    if (block.stream % 2 === 0) throw new ConnectionError(CODE.protocol, 'a stream with an even number');
    this.#lastStream = block.stream;
    if (this.#isClosing || this.#streams.size >= MAX_STREAMS) {
      this.#write(numbersFrame(FRAME.reset, block.stream, CODE.refused));
      return;
    }
    const stream = new Http2Stream(block.stream, this.#host, this.#initialWindow);
    this.#streams.set(block.stream, stream);
    this.#onStream(stream, new Map(headers));
    if (block.isLast) stream.endInput();
  }

  #read(block: Buffer): readonly Header[] {
    try {
      return this.#headers.read(block);
    } catch (cause) {
      throw new ConnectionError(CODE.compression, 'a header block is not understood', { cause });
    }
  }

  #reset({ stream, payload }: Frame): void {
    if (payload.length !== 4) throw new ConnectionError(CODE.frameSize, 'a reset of an odd length');
    const found = this.#known(stream);
    if (found !== undefined) this.#forget(found);
  }

  #settings(frame: Frame): void {
    if ((frame.flags & FLAG.ack) !== 0) return;
    const { initialWindow = this.#initialWindow, maxFrame = this.#maxFrame } = settingsOf(frame);
    for (const stream of this.#streams.values()) {
      stream.sendWindow += initialWindow - this.#initialWindow;
      if (stream.sendWindow > MAX_WINDOW)
        throw new ConnectionError(CODE.flowControl, 'a window of an impossible size');
    }
    this.#initialWindow = initialWindow;
    // Larger frames than everybody takes gain nothing here.
    this.#maxFrame = Math.min(maxFrame, MAX_FRAME_BYTES);
    this.#write(frameHeader(FRAME.settings, FLAG.ack, 0, 0));
    this.#send();
  }

  #ping({ flags, payload }: Frame): void {
    if (payload.length !== 8) throw new ConnectionError(CODE.frameSize, 'a ping of an odd length');
    if ((flags & FLAG.ack) !== 0) return;
    this.#write(Buffer.concat([frameHeader(FRAME.ping, FLAG.ack, 0, 8), payload]));
  }

  #windowUpdate({ stream, payload }: Frame): void {
    if (payload.length !== 4) throw new ConnectionError(CODE.frameSize, 'a window update of an odd length');
    const bytes = payload.readUInt32BE(0) & MAX_WINDOW;
    const owner = stream === 0 ? undefined : this.#known(stream);
    if (stream === 0) this.#sendWindow += bytes;
    if (owner !== undefined) owner.sendWindow += bytes;
    if (bytes === 0 || this.#sendWindow > MAX_WINDOW || (owner?.sendWindow ?? 0) > MAX_WINDOW)
      throw new ConnectionError(CODE.flowControl, 'a window of an impossible size');
    this.#send();
  }

  #forget(stream: Http2Stream): void {
    this.#streams.delete(stream.id);
    this.#sending.delete(stream);
    stream.close();
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (this.#isClosing && this.#streams.size === 0) this.#socket.end();
  }

  #sendHeaders(stream: number, headers: readonly Header[], isLast: boolean): void {
    const block = headerBlock(headers);
    const frames: Buffer[] = [];
    for (let at = 0; at === 0 || at < block.length; at += this.#maxFrame) {
      const part = block.subarray(at, at + this.#maxFrame);
      const flags =
        (at === 0 && isLast ? FLAG.endStream : 0) |
        (at + this.#maxFrame >= block.length ? FLAG.endHeaders : 0);
      const type = at === 0 ? FRAME.headers : FRAME.continuation;
      frames.push(frameHeader(type, flags, stream, part.length), part);
    }
    this.#write(Buffer.concat(frames));
  }

  /** One frame of each stream in turn, until windows or the socket are full, or nothing is left. */
  #send(): void {
    let isBlocked = false;
    while (!isBlocked && this.#sending.size > 0) {
      isBlocked = true;
      for (const stream of [...this.#sending]) {
        if (this.#sendWindow <= 0 || this.#socket.writableNeedDrain) return;
        const piece = stream.take(Math.min(this.#sendWindow, this.#maxFrame));
        if (piece === undefined) continue;
        isBlocked = false;
        this.#sendWindow -= piece.bytes.length;
        this.#socket.cork();
        this.#write(frameHeader(FRAME.data, 0, stream.id, piece.bytes.length));
        this.#socket.write(piece.bytes, (error) => {
          if (error === null || error === undefined) piece.flushed?.();
        });
        this.#socket.uncork();
        if (!stream.hasMore) this.#sending.delete(stream);
        stream.taken();
      }
    }
  }

  #write(bytes: Buffer): void {
    if (!this.#socket.writable) return;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > MAX_BACKLOG_BYTES) this.#socket.destroy();
  }
}

function settingsFrame(): Buffer {
  const payload = Buffer.allocUnsafe(6);
  payload.writeUInt16BE(SETTING.maxStreams, 0);
  payload.writeUInt32BE(MAX_STREAMS, 2);
  return Buffer.concat([frameHeader(FRAME.settings, 0, 0, payload.length), payload]);
}
