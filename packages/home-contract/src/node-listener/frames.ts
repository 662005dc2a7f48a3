/**
 * How two processes of a home talk over a stream: frames of a kind (1 byte), a length (4 bytes) and bytes.
 * One connection carries one call: a CALL, then whatever it needs, then RESULT or FAILURE.
 */
import type { Duplex } from 'node:stream';

export const Kind = {
  /** What is asked for, as JSON; the first frame, and the only one of its kind. */
  call: 0,
  /** Bytes for the process or connection at the far end. */
  input: 1,
  inputEnd: 2,
  /** Columns and rows, as JSON. */
  resize: 3,
  /** It runs; what went wrong until now would have been a FAILURE. */
  started: 4,
  output: 5,
  errors: 6,
  outputEnd: 7,
  /** As JSON. */
  progress: 8,
  /** How it ended, as JSON; the last frame. */
  result: 9,
  /** Why it did not work, as JSON; the last frame. */
  failure: 10,
} as const;

export type FrameKind = (typeof Kind)[keyof typeof Kind];

export interface Frame {
  readonly kind: number;
  readonly bytes: Buffer;
}

const HEADER_BYTES = 5;
/** Larger ones end the connection: nobody sends them. */
export const MAX_FRAME_BYTES = 1024 * 1024;

const NOTHING = Buffer.alloc(0);

/** Sends a frame (several, where the bytes are many); resolves when more may be sent. */
export async function sendFrame(stream: Duplex, kind: FrameKind, bytes: Uint8Array = NOTHING): Promise<void> {
  for (let sent = 0; sent === 0 || sent < bytes.length; sent += MAX_FRAME_BYTES) {
    if (stream.destroyed || stream.writableEnded) return;
    const piece = bytes.subarray(sent, sent + MAX_FRAME_BYTES);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt8(kind, 0);
    header.writeUInt32BE(piece.length, 1);
    stream.cork();
    stream.write(header);
    const goesOn = piece.length === 0 || stream.write(piece);
    process.nextTick(() => stream.uncork());
    if (!goesOn) await new Promise<void>((resolve) => stream.once('drain', resolve).once('close', resolve));
  }
}

export function sendJson(stream: Duplex, kind: FrameKind, value: unknown): Promise<void> {
  return sendFrame(stream, kind, Buffer.from(JSON.stringify(value)));
}

/** Frames as they come; reading slowly slows the sender down. Ends with the stream. */
export async function* readFrames(stream: Duplex): AsyncGenerator<Frame, void, undefined> {
  let rest: Buffer = NOTHING;
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new Error('bytes are expected');
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES) {
      const length = rest.readUInt32BE(1);
      if (length > MAX_FRAME_BYTES) throw new Error(`a frame of ${length} bytes is too large`);
      if (rest.length < HEADER_BYTES + length) break;
      yield { kind: rest.readUInt8(0), bytes: rest.subarray(HEADER_BYTES, HEADER_BYTES + length) };
      rest = rest.subarray(HEADER_BYTES + length);
    }
  }
}
