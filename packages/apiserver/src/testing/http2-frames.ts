/** HTTP/2 by hand (RFC 9113), for what no well-behaved client sends. */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { TestServer } from './test-server.ts';

export const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7 } as const;
const END_STREAM = 1;
const END_HEADERS = 4;
/** HPACK's static table (RFC 7541, appendix A): `:method: GET`, `:method: POST`, `:scheme: https`. */
const [GET, POST, HTTPS] = [0x82, 0x83, 0x87];

export interface Frame {
  readonly type: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A connection of the administrator on which single frames are sent and read. Answers nothing by itself. */
export class RawHttp2 {
  readonly socket: TLSSocket;
  readonly frames: Frame[] = [];
  #rest = Buffer.alloc(0);

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  static async open({ server, ca, admin }: TestServer): Promise<RawHttp2> {
    const socket = connect({
      host: '127.0.0.1',
      port: server.port,
      ca: ca.certificate,
      cert: admin.certificate,
      key: admin.key,
      ALPNProtocols: ['h2'],
    });
    await once(socket, 'secureConnect');
    const raw = new RawHttp2(socket);
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    raw.send(FRAME.settings, 0, 0, Buffer.alloc(0));
    await raw.find(({ type }) => type === FRAME.settings);
    raw.send(FRAME.settings, 1, 0, Buffer.alloc(0));
    return raw;
  }

  send(type: number, flags: number, stream: number, payload: Buffer): void {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(stream, 5);
    this.socket.write(Buffer.concat([head, payload]));
  }

  get(stream: number, path: string): void {
    this.send(
      FRAME.headers,
      END_HEADERS | END_STREAM,
      stream,
      Buffer.concat([Buffer.from([GET]), rest(path)]),
    );
  }

  /** Begins a POST whose body is sent by `FRAME.data`. */
  post(stream: number, path: string, contentType: string): void {
    const type = Buffer.concat([Buffer.from([0x0f, 0x10]), text(contentType)]);
    this.send(FRAME.headers, END_HEADERS, stream, Buffer.concat([Buffer.from([POST]), rest(path), type]));
  }

  reset(stream: number, code = 8): void {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(code);
    this.send(FRAME.reset, 0, stream, payload);
  }

  /** The first frame that fits, also of those that came already. */
  async find(fits: (frame: Frame) => boolean, withinMs = 60_000): Promise<Frame> {
    const signal = AbortSignal.timeout(withinMs);
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined) return found;
      await once(this.socket, 'data', { signal });
    }
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 9) {
      const length = this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < 9 + length) return;
      const [type = 0] = this.#rest.subarray(3, 4);
      const payload = this.#rest.subarray(9, 9 + length);
      this.frames.push({ type, stream: this.#rest.readUInt32BE(5), payload });
      this.#rest = this.#rest.subarray(9 + length);
    }
  }
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
}

/** Scheme, path and authority, as literals that nobody has to remember; each shorter than 127 bytes. */
function rest(path: string): Buffer {
  return Buffer.concat([Buffer.from([HTTPS, 0x04]), text(path), Buffer.from([0x01]), text('localhost')]);
}
