/**
 * One stream of an HTTP/2 connection, on the side of the server: bytes of a request in, headers, bytes and trailers
 * out. Its session decides when bytes go.
 */
import { CODE, ConnectionError, DEFAULT_WINDOW } from './frame.ts';
import type { Header } from './hpack.ts';

/** What a stream needs of its session. */
export interface StreamHost {
  sendHeaders(stream: number, headers: readonly Header[], isLast: boolean): void;
  /** There is something to take with `take`. */
  wantsToSend(stream: Http2Stream): void;
  giveCredit(stream: number, bytes: number): void;
  /** Both sides have said all that they will. */
  isDone(stream: Http2Stream): void;
}

/** A piece to send; `flushed` is called when the kernel has it, after the last piece of what was written. */
export interface Piece {
  readonly bytes: Buffer;
  readonly flushed?: () => void;
}

/** A writer that has this much under way is asked to wait. */
const HIGH_WATER_BYTES = 16_384;
/** Credit is given back in steps: each is a frame. */
const CREDIT_STEP = DEFAULT_WINDOW >> 1;

export class Http2Stream {
  readonly id: number;
  /** Bytes that the peer takes of this stream. It may become negative: settings can be lowered. */
  sendWindow: number;
  readonly #host: StreamHost;
  readonly #queue: { bytes: Buffer; readonly flushed: () => void }[] = [];
  /** Written, and not in the kernel yet. */
  #pendingBytes = 0;
  #receiveWindow = DEFAULT_WINDOW;
  #owedCredit = 0;
  #isPaused = false;
  #inputEnded = false;
  #trailers: readonly Header[] | undefined;
  #outputEnded = false;
  #isClosed = false;
  #onDrain: (() => void)[] = [];
  #listener: StreamListener = { data: () => {}, inputEnd: () => {}, close: () => {} };

  constructor(id: number, host: StreamHost, sendWindow: number) {
    this.id = id;
    this.#host = host;
    this.sendWindow = sendWindow;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  listen(listener: StreamListener): void {
    this.#listener = listener;
  }

  /** The client may send what its window still has, and no more until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#giveCredit();
  }

  respond(headers: readonly Header[], isLast = false): void {
    if (this.#isClosed || this.#outputEnded) return;
    this.#host.sendHeaders(this.id, headers, isLast);
    if (isLast) this.#endOutput();
  }

  /** False: stop until `onDrain`. */
  write(bytes: Buffer, flushed: () => void): boolean {
    if (this.#isClosed || this.#outputEnded || bytes.length === 0) return true;
    this.#pendingBytes += bytes.length;
    const { length } = bytes;
    this.#queue.push({
      bytes,
      flushed: () => {
        flushed();
        this.#pendingBytes -= length;
        if (this.#pendingBytes > 0) return;
        const listeners = this.#onDrain;
        this.#onDrain = [];
        for (const listener of listeners) listener();
      },
    });
    this.#host.wantsToSend(this);
    return this.#pendingBytes < HIGH_WATER_BYTES;
  }

  onDrain(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  /** Sends the trailers after all that was written. */
  end(trailers: readonly Header[]): void {
    if (this.#isClosed || this.#outputEnded || this.#trailers !== undefined) return;
    this.#trailers = trailers;
    this.#sendTrailers();
  }

  // The rest is the session's.

  /** The next bytes to send, at most as many as all windows allow; absent when there are none. */
  take(limit: number): Piece | undefined {
    const [first] = this.#queue;
    const size = Math.min(limit, this.sendWindow, first?.bytes.length ?? 0);
    if (first === undefined || size <= 0) return undefined;
    this.sendWindow -= size;
    const bytes = first.bytes.subarray(0, size);
    if (size < first.bytes.length) {
      first.bytes = first.bytes.subarray(size);
      return { bytes };
    }
    this.#queue.shift();
    return { bytes, flushed: first.flushed };
  }

  /** After bytes were sent: whether there are more. */
  get hasMore(): boolean {
    return this.#queue.length > 0;
  }

  /** All that `take` gave was handed on: trailers may follow. */
  taken(): void {
    this.#sendTrailers();
  }

  /** `counted`: the frame's whole length, padding included. */
  receive(bytes: Buffer, counted: number, isLast: boolean): void {
    this.#receiveWindow -= counted;
    if (this.#receiveWindow < 0) throw new ConnectionError(CODE.flowControl, 'more than the window allows');
    if (this.#inputEnded) throw new ConnectionError(CODE.protocol, 'data after the end of a stream');
    this.#owedCredit += counted;
    if (bytes.length > 0) this.#listener.data(bytes);
    if (isLast) this.endInput();
    else this.#giveCredit();
  }

  endInput(): void {
    if (this.#inputEnded || this.#isClosed) return;
    this.#inputEnded = true;
    this.#listener.inputEnd();
    this.#finishIfDone();
  }

  /** The stream is no more, whatever was under way. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue.length = 0;
    this.#listener.close();
  }

  #sendTrailers(): void {
    if (this.#trailers === undefined || this.#queue.length > 0 || this.#outputEnded) return;
    this.#host.sendHeaders(this.id, this.#trailers, true);
    this.#endOutput();
  }

  #endOutput(): void {
    this.#outputEnded = true;
    this.#finishIfDone();
  }

  #finishIfDone(): void {
    if (this.#inputEnded && this.#outputEnded) this.#host.isDone(this);
  }

  #giveCredit(): void {
    if (this.#isPaused || this.#inputEnded || this.#isClosed || this.#owedCredit < CREDIT_STEP) return;
    this.#host.giveCredit(this.id, this.#owedCredit);
    this.#receiveWindow += this.#owedCredit;
    this.#owedCredit = 0;
  }
}

/** Who uses a stream. */
export interface StreamListener {
  data(bytes: Buffer): void;
  /** The client has said all that it will. */
  inputEnd(): void;
  /** Nothing comes and nothing goes any more. */
  close(): void;
}
