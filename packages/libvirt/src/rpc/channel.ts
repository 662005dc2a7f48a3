/**
 * Calls, replies, streams and notices over one unix socket. Calls may overlap; each reply finds its call
 * by serial. When the socket ends, everything that waits is rejected with LibvirtDisconnected: the caller
 * does not know whether the call happened, and must look before it acts again.
 */
import { createConnection, type Socket } from 'node:net';
import { LibvirtDisconnected, readError } from '../libvirt-error.ts';
import { KEEP_ALIVE_PROCEDURE, PROGRAM, PROGRAM_VERSION } from '../protocol/procedures.ts';
import { XdrReader } from '../xdr/reader.ts';
import { XdrWriter } from '../xdr/writer.ts';
import { encodeMessage, type Message, MESSAGE_TYPE, MessageDecoder, STATUS } from './message.ts';

interface PendingCall {
  /** Called with the reply's payload; a stream stays pending until its end. */
  readonly reply: (payload: Buffer) => void;
  readonly fail: (error: Error) => void;
  readonly stream?: (data: Buffer | undefined) => void;
}

export type NoticeHandler = (procedure: number, payload: XdrReader) => void;

const nothing = (): void => {};

export class RpcChannel {
  readonly #socket: Socket;
  readonly #pending = new Map<number, PendingCall>();
  readonly #decoder = new MessageDecoder();
  #serial = 0;
  #ended: LibvirtDisconnected | undefined;
  #closing = false;
  onNotice: NoticeHandler = nothing;
  /** Called once, when the socket ended. `expected` after our own `close`. */
  onEnd: (error: LibvirtDisconnected, expected: boolean) => void = nothing;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) =>
      this.#end(new LibvirtDisconnected('the connection to libvirtd broke', { cause: error })),
    );
    socket.on('close', () => this.#end(new LibvirtDisconnected('libvirtd closed the connection')));
  }

  static connect(socketPath: string, signal?: AbortSignal): Promise<RpcChannel> {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ path: socketPath, signal });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RpcChannel(socket));
      });
    });
  }

  /** Calls a procedure. An abort stops the waiting, not libvirt's work. */
  call<T>(
    program: number,
    procedure: number,
    write: (out: XdrWriter) => void,
    read: (input: XdrReader) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const serial = this.#send(program, procedure, write, signal);
      const onAbort = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const settle = (): void => {
        this.#pending.delete(serial);
        signal?.removeEventListener('abort', onAbort);
      };
      this.#pending.set(serial, {
        reply: (payload) => {
          settle();
          resolve(readAll(payload, read));
        },
        fail: (error) => {
          settle();
          reject(error);
        },
      });
    });
  }

  /**
   * Calls a procedure whose answer is a reply and a stream of at most `maxBytes`. libvirtd sends them from
   * two threads: the reply may come after the end of the stream.
   */
  callForStream<T>(
    procedure: number,
    write: (out: XdrWriter) => void,
    read: (input: XdrReader) => T,
    maxBytes: number,
    signal?: AbortSignal,
  ): Promise<{ readonly reply: T; readonly data: Buffer }> {
    return new Promise((resolve, reject) => {
      const serial = this.#send(PROGRAM.remote, procedure, write, signal);
      const chunks: Buffer[] = [];
      let bytes = 0;
      let reply: { readonly value: T } | undefined;
      let ended = false;
      const settle = (): void => {
        if (reply === undefined || !ended) return;
        this.#pending.delete(serial);
        resolve({ reply: reply.value, data: Buffer.concat(chunks) });
      };
      const fail = (error: Error): void => {
        this.#pending.delete(serial);
        reject(error);
      };
      this.#pending.set(serial, {
        reply: (payload) => {
          reply = { value: readAll(payload, read) };
          settle();
        },
        fail,
        stream: (data) => {
          bytes += data?.length ?? 0;
          if (bytes > maxBytes) {
            this.#sendStreamEnd(procedure, serial, STATUS.error);
            fail(new Error(`the stream is longer than ${maxBytes} bytes`));
          } else if (data !== undefined && data.length > 0) chunks.push(Buffer.from(data));
          else if (data !== undefined) this.#sendStreamEnd(procedure, serial, STATUS.ok);
          else {
            ended = true;
            settle();
          }
        },
      });
    });
  }

  /** Ends the connection; waits until the socket is closed. */
  close(): Promise<void> {
    this.#closing = true;
    if (this.#socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#socket.destroy();
    });
  }

  #send(program: number, procedure: number, write: (out: XdrWriter) => void, signal?: AbortSignal): number {
    signal?.throwIfAborted();
    if (this.#ended !== undefined) throw this.#ended;
    const out = new XdrWriter();
    write(out);
    const serial = (this.#serial = (this.#serial + 1) >>> 0);
    const header = {
      program,
      version: PROGRAM_VERSION,
      procedure,
      type: MESSAGE_TYPE.call,
      serial,
      status: STATUS.ok,
    };
    this.#socket.write(encodeMessage(header, out.bytes()));
    return serial;
  }

  #sendStreamEnd(procedure: number, serial: number, status: number): void {
    const header = {
      program: PROGRAM.remote,
      version: PROGRAM_VERSION,
      procedure,
      type: MESSAGE_TYPE.stream,
      serial,
      status,
    };
    this.#socket.write(encodeMessage(header, Buffer.alloc(0)));
  }

  #receive(chunk: Buffer): void {
    try {
      for (const message of this.#decoder.push(chunk)) this.#dispatch(message);
    } catch (error) {
      // A stream that lost its framing cannot be read on.
      this.#end(
        new LibvirtDisconnected('libvirtd sent something that is not its protocol', { cause: error }),
      );
      this.#socket.destroy();
    }
  }

  #dispatch({ header, payload }: Message): void {
    if (header.program === PROGRAM.keepAlive) {
      if (header.procedure === KEEP_ALIVE_PROCEDURE.ping)
        this.#socket.write(
          encodeMessage({ ...header, procedure: KEEP_ALIVE_PROCEDURE.pong }, Buffer.alloc(0)),
        );
      return;
    }
    if (header.type === MESSAGE_TYPE.message) {
      this.onNotice(header.procedure, new XdrReader(payload));
      return;
    }
    const call = this.#pending.get(header.serial);
    if (call === undefined) return; // its caller gave up
    if (header.status === STATUS.error) {
      call.fail(readError(new XdrReader(payload)));
    } else if (header.type === MESSAGE_TYPE.stream) {
      call.stream?.(header.status === STATUS.continue ? payload : undefined);
    } else if (header.type === MESSAGE_TYPE.reply) {
      try {
        call.reply(payload);
      } catch (error) {
        call.fail(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #end(error: LibvirtDisconnected): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    for (const call of [...this.#pending.values()]) call.fail(error);
    this.#pending.clear();
    this.onEnd(error, this.#closing);
  }
}

function readAll<T>(payload: Buffer, read: (input: XdrReader) => T): T {
  const input = new XdrReader(payload);
  const value = read(input);
  input.end();
  return value;
}
