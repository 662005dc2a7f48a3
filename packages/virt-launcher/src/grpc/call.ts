/** One call of gRPC on an HTTP/2 stream: messages in, messages out, a status at the end. */
import { messageOf } from '@podvisor/base';
import { frame, FrameReader } from './frames.ts';
import type { Header } from './http2/hpack.ts';
import type { Http2Stream } from './http2/stream.ts';

/** The status codes that we give. */
export const STATUS = {
  ok: 0,
  invalidArgument: 3,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
} as const;
export type Status = (typeof STATUS)[keyof typeof STATUS];

/** A VMI is at most what the API server stores (1.5 MiB), some room included. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

export class GrpcCall {
  readonly #stream: Http2Stream;
  readonly #frames = new FrameReader(MAX_MESSAGE_BYTES);
  readonly #waiting: Buffer[] = [];
  readonly #endListeners: (() => void)[] = [];
  #onMessage: ((message: Buffer) => void) | undefined;
  #paused = false;
  #responded = false;
  #ended = false;
  #inputEnded = false;
  #onInputEnd: (() => void) | undefined;

  constructor(stream: Http2Stream) {
    this.#stream = stream;
    stream.listen({
      data: (chunk) => this.#receive(chunk),
      inputEnd: () => {
        this.#inputEnded = true;
        this.#deliver();
      },
      close: () => {
        this.#ended = true;
        for (const listener of this.#endListeners) listener();
      },
    });
  }

  /** Calls `handler` for each message, also those that came before. */
  onMessage(handler: (message: Buffer) => void): void {
    this.#onMessage = handler;
    this.#deliver();
  }

  /** The client has said all that it will, and all of it was delivered. */
  onInputEnd(handler: () => void): void {
    this.#onInputEnd = handler;
    this.#deliver();
  }

  /** The call is over, in whatever way. */
  onEnd(listener: () => void): void {
    if (this.#ended) listener();
    else this.#endListeners.push(listener);
  }

  pause(): void {
    this.#paused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#deliver();
    if (!this.#paused) this.#stream.resume();
  }

  /** False: stop until `onDrain`. `flushed` is called when the connection has taken the message. */
  write(message: Uint8Array, flushed: () => void = () => {}): boolean {
    if (this.#ended) return true;
    this.#respond();
    return this.#stream.write(frame(message), flushed);
  }

  onDrain(listener: () => void): void {
    this.#stream.onDrain(listener);
  }

  /** Ends the call. Only the first end counts. */
  end(status: Status = STATUS.ok, message = ''): void {
    if (this.#ended) return;
    this.#ended = true;
    const trailers: Header[] = [['grpc-status', String(status)]];
    if (message !== '') trailers.push(['grpc-message', percentEncoded(message)]);
    if (this.#responded) this.#stream.end(trailers);
    else this.#stream.respond([...HEADERS, ...trailers], true);
    this.#stream.resume(); // what the client still sends is of no interest
  }

  /** Sends the headers, so that a client knows that it was heard. */
  #respond(): void {
    if (this.#responded) return;
    this.#responded = true;
    this.#stream.respond(HEADERS);
  }

  #receive(chunk: Buffer): void {
    if (this.#ended) return;
    try {
      this.#waiting.push(...this.#frames.push(chunk));
    } catch (error) {
      this.end(STATUS.invalidArgument, messageOf(error));
      return;
    }
    this.#deliver();
  }

  #deliver(): void {
    while (!this.#paused && this.#onMessage !== undefined) {
      const message = this.#waiting.shift();
      if (message === undefined) break;
      this.#onMessage(message);
    }
    if (!this.#inputEnded || this.#waiting.length > 0) return;
    const told = this.#onInputEnd;
    this.#onInputEnd = undefined;
    told?.();
  }
}

/** As gRPC wants it: printable ASCII stays, all else and `%` itself become `%XX` of their UTF-8 bytes. */
function percentEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}

const HEADERS: readonly Header[] = [
  [':status', '200'],
  ['content-type', 'application/grpc'],
];
