/**
 * Writes XDR (RFC 4506), the encoding of libvirt's wire protocol: big-endian, everything padded to four
 * bytes. Refuses what the protocol forbids, so that a bad argument fails here and not in libvirtd.
 */
import { LIMITS } from '../protocol/limits.ts';
import { XdrError } from './xdr-error.ts';

const FIRST_CAPACITY = 256;

export class XdrWriter {
  #buffer: Buffer = Buffer.allocUnsafe(FIRST_CAPACITY);
  #length = 0;

  int(value: number): this {
    if (!Number.isInteger(value) || value < -0x80000000 || value > 0x7fffffff)
      throw new XdrError(`${value} is not a 32-bit integer`);
    const at = this.#reserve(4);
    this.#buffer.writeInt32BE(value, at);
    return this;
  }

  uint(value: number): this {
    if (!Number.isInteger(value) || value < 0 || value > 0xffffffff)
      throw new XdrError(`${value} is not an unsigned 32-bit integer`);
    const at = this.#reserve(4);
    this.#buffer.writeUInt32BE(value, at);
    return this;
  }

  hyper(value: bigint): this {
    if (BigInt.asIntN(64, value) !== value) throw new XdrError(`${value} is not a 64-bit integer`);
    const at = this.#reserve(8);
    this.#buffer.writeBigInt64BE(value, at);
    return this;
  }

  uhyper(value: bigint): this {
    if (BigInt.asUintN(64, value) !== value) throw new XdrError(`${value} is not an unsigned 64-bit integer`);
    const at = this.#reserve(8);
    this.#buffer.writeBigUInt64BE(value, at);
    return this;
  }

  double(value: number): this {
    const at = this.#reserve(8);
    this.#buffer.writeDoubleBE(value, at);
    return this;
  }

  bool(value: boolean): this {
    return this.int(value ? 1 : 0);
  }

  /** Bytes of a length both sides know. */
  fixedOpaque(bytes: Uint8Array): this {
    const padded = (bytes.length + 3) & ~3;
    const at = this.#reserve(padded);
    this.#buffer.set(bytes, at);
    this.#buffer.fill(0, at + bytes.length, at + padded);
    return this;
  }

  /** Bytes with their length in front; at most `max`. */
  opaque(bytes: Uint8Array, max: number): this {
    if (bytes.length > max) throw new XdrError(`${bytes.length} bytes are more than the ${max} allowed`);
    return this.uint(bytes.length).fixedOpaque(bytes);
  }

  string(value: string, max: number = LIMITS.string): this {
    if (value.includes('\0')) throw new XdrError('a string must not hold a zero byte');
    return this.opaque(Buffer.from(value, 'utf8'), max);
  }

  optional<T>(value: T | undefined, write: (value: T) => void): this {
    this.bool(value !== undefined);
    if (value !== undefined) write(value);
    return this;
  }

  optionalString(value: string | undefined): this {
    return this.optional(value, (text) => this.string(text));
  }

  list<T>(items: readonly T[], max: number, write: (item: T) => void): this {
    if (items.length > max) throw new XdrError(`${items.length} items are more than the ${max} allowed`);
    this.uint(items.length);
    for (const item of items) write(item);
    return this;
  }

  /** What was written, as a view that later writes may overwrite. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(size: number): number {
    const at = this.#length;
    if (at + size > LIMITS.message) throw new XdrError(`message is longer than ${LIMITS.message} bytes`);
    if (at + size > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, at + size));
      this.#buffer.copy(grown, 0, 0, at);
      this.#buffer = grown;
    }
    this.#length = at + size;
    return at;
  }
}
