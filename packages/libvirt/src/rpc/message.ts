/** One message on the wire: length word, six header words, payload. */
import { LIMITS } from '../protocol/limits.ts';
import { XdrError } from '../xdr/xdr-error.ts';

export const MESSAGE_TYPE = { call: 0, reply: 1, message: 2, stream: 3, streamHole: 6 } as const;
export const STATUS = { ok: 0, error: 1, continue: 2 } as const;

export interface MessageHeader {
  readonly program: number;
  readonly version: number;
  readonly procedure: number;
  readonly type: number;
  readonly serial: number;
  readonly status: number;
}

export interface Message {
  readonly header: MessageHeader;
  readonly payload: Buffer;
}

/** Bytes of length word and header. */
const PREFIX_BYTES = 28;

export function encodeMessage(header: MessageHeader, payload: Uint8Array): Buffer {
  const length = PREFIX_BYTES + payload.length;
  if (length - 4 > LIMITS.message) throw new XdrError(`a message of ${length} bytes is too long`);
  const out = Buffer.allocUnsafe(length);
  out.writeUInt32BE(length, 0);
  out.writeUInt32BE(header.program, 4);
  out.writeUInt32BE(header.version, 8);
  out.writeInt32BE(header.procedure, 12);
  out.writeInt32BE(header.type, 16);
  out.writeUInt32BE(header.serial, 20);
  out.writeInt32BE(header.status, 24);
  out.set(payload, PREFIX_BYTES);
  return out;
}

/** Cuts the byte stream into messages; holds at most one incomplete message. */
export class MessageDecoder {
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  /** Yields every message completed by `chunk`. Throws on a length that the protocol forbids. */
  *push(chunk: Buffer): Generator<Message> {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    for (;;) {
      if (this.#pendingBytes < 4) return;
      const length = this.#peekLength();
      if (length < PREFIX_BYTES || length - 4 > LIMITS.message)
        throw new XdrError(`a message cannot be ${length} bytes long`);
      if (this.#pendingBytes < length) return;
      const all = this.#merged();
      this.#pending = all.length > length ? [all.subarray(length)] : [];
      this.#pendingBytes -= length;
      yield parse(all.subarray(0, length));
    }
  }

  #peekLength(): number {
    const first = this.#pending[0];
    return (first !== undefined && first.length >= 4 ? first : this.#merged()).readUInt32BE(0);
  }

  #merged(): Buffer {
    if (this.#pending.length !== 1) this.#pending = [Buffer.concat(this.#pending)];
    return this.#pending[0] ?? Buffer.alloc(0);
  }
}

function parse(bytes: Buffer): Message {
  return {
    header: {
      program: bytes.readUInt32BE(4),
      version: bytes.readUInt32BE(8),
      procedure: bytes.readInt32BE(12),
      type: bytes.readInt32BE(16),
      serial: bytes.readUInt32BE(20),
      status: bytes.readInt32BE(24),
    },
    payload: bytes.subarray(PREFIX_BYTES),
  };
}
