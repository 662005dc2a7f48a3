/** Frames of HTTP/2 (RFC 9113, sections 4 and 6): their numbers, and a stream of bytes cut into them. Pure. */

export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export type FrameType = (typeof FRAME)[keyof typeof FRAME];

export const FLAG = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** Why a stream or a connection ends. */
export const CODE = {
  none: 0,
  protocol: 1,
  flowControl: 3,
  frameSize: 6,
  refused: 7,
  compression: 9,
  calm: 11,
} as const;
export type ErrorCode = (typeof CODE)[keyof typeof CODE];

export const SETTING = { maxStreams: 3, initialWindow: 4, maxFrame: 5 } as const;

/** What both sides begin with; we ask for no more. */
export const DEFAULT_WINDOW = 65_535;
export const MAX_FRAME_BYTES = 16_384;
const HEADER_BYTES = 9;
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** What the peer did is against the protocol: the connection ends with this code. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Cuts what a client sends into frames, after the words that each connection begins with. */
export class FrameParser {
  #rest: Buffer = Buffer.alloc(0);
  #begun = false;

  /** The frames that are complete with this chunk. Throws ConnectionError. */
  *push(chunk: Buffer): Generator<Frame> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (!this.#begun) {
      const seen = Math.min(bytes.length, PREFACE.length);
      if (!bytes.subarray(0, seen).equals(PREFACE.subarray(0, seen)))
        throw new ConnectionError(CODE.protocol, 'this is not HTTP/2');
      this.#begun = seen === PREFACE.length;
      if (this.#begun) bytes = bytes.subarray(PREFACE.length);
    }
    while (this.#begun && bytes.length >= HEADER_BYTES) {
      const length = bytes.readUIntBE(0, 3);
      if (length > MAX_FRAME_BYTES) throw new ConnectionError(CODE.frameSize, 'a frame is too long');
      const end = HEADER_BYTES + length;
      if (bytes.length < end) break;
      yield {
        type: bytes[3] ?? 0,
        flags: bytes[4] ?? 0,
        stream: bytes.readUInt32BE(5) & 0x7f_ff_ff_ff,
        payload: bytes.subarray(HEADER_BYTES, end),
      };
      bytes = bytes.subarray(end);
    }
    // A copy: what is left of a chunk would keep all of it.
    this.#rest = Buffer.from(bytes);
  }
}

/** The header of a frame, to be followed by `length` bytes. */
export function frameHeader(type: FrameType, flags: number, stream: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUIntBE(length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(stream, 5);
  return header;
}

/** A frame whose payload is numbers of four bytes. */
export function numbersFrame(type: FrameType, stream: number, ...numbers: readonly number[]): Buffer {
  const payload = Buffer.allocUnsafe(numbers.length * 4);
  numbers.forEach((number, i) => payload.writeUInt32BE(number, i * 4));
  return Buffer.concat([frameHeader(type, 0, stream, payload.length), payload]);
}

/** The payload without padding, and without what HEADERS says of priorities. Throws ConnectionError. */
export function contentOf({ type, flags, payload }: Frame): Buffer {
  const padding = (flags & FLAG.padded) === 0 ? 0 : (payload[0] ?? 0);
  const start =
    ((flags & FLAG.padded) === 0 ? 0 : 1) + (type === FRAME.headers && (flags & FLAG.priority) !== 0 ? 5 : 0);
  if (start + padding > payload.length)
    throw new ConnectionError(CODE.protocol, 'a frame has more padding than bytes');
  return payload.subarray(start, payload.length - padding);
}

export interface Settings {
  readonly initialWindow?: number;
  readonly maxFrame?: number;
}

/** What of the peer's settings matters to who sends. Throws ConnectionError. */
export function settingsOf({ payload }: Frame): Settings {
  if (payload.length % 6 !== 0) throw new ConnectionError(CODE.frameSize, 'settings of an odd length');
  let settings: Settings = {};
  for (let at = 0; at < payload.length; at += 6) {
    const [id, value] = [payload.readUInt16BE(at), payload.readUInt32BE(at + 2)];
    if (id === SETTING.initialWindow) {
      if (value > 0x7f_ff_ff_ff) throw new ConnectionError(CODE.flowControl, 'a window is too large');
      settings = { ...settings, initialWindow: value };
    }
    // Section 6.5.2: nobody takes less. Headers cut into frames of no bytes would never be sent.
    if (id === SETTING.maxFrame && value < MAX_FRAME_BYTES)
      throw new ConnectionError(CODE.protocol, 'frames are too short');
    if (id === SETTING.maxFrame) settings = { ...settings, maxFrame: value };
  }
  return settings;
}
