/**
 * Reads XDR (RFC 4506). Nothing is trusted: every length is checked against the protocol's maximum and
 * against the bytes that are really there before anything is allocated.
 */
import { LIMITS } from '../protocol/limits.ts';
import { XdrError } from './xdr-error.ts';

export class XdrReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#buffer = bytes;
  }

  int(): number {
    return this.#buffer.readInt32BE(this.#take(4));
  }

  uint(): number {
    return this.#buffer.readUInt32BE(this.#take(4));
  }

  hyper(): bigint {
    return this.#buffer.readBigInt64BE(this.#take(8));
  }

  uhyper(): bigint {
    return this.#buffer.readBigUInt64BE(this.#take(8));
  }

  double(): number {
    return this.#buffer.readDoubleBE(this.#take(8));
  }

  bool(): boolean {
    const value = this.int();
    if (value !== 0 && value !== 1) throw new XdrError(`${value} is not a boolean`);
    return value === 1;
  }

  fixedOpaque(length: number): Buffer {
    const at = this.#take((length + 3) & ~3);
    return this.#buffer.subarray(at, at + length);
  }

  opaque(max: number): Buffer {
    const length = this.uint();
    if (length > max) throw new XdrError(`${length} bytes are more than the ${max} allowed`);
    return this.fixedOpaque(length);
  }

  string(max: number = LIMITS.string): string {
    return this.opaque(max).toString('utf8');
  }

  optional<T>(read: () => T): T | undefined {
    return this.bool() ? read() : undefined;
  }

  optionalString(): string | undefined {
    return this.optional(() => this.string());
  }

  list<T>(max: number, read: () => T): T[] {
    const count = this.uint();
    // The shortest item is one word, so a count beyond the bytes left is a lie.
    if (count > max || count * 4 > this.#buffer.length - this.#at)
      throw new XdrError(`a list of ${count} items is more than allowed`);
    return Array.from({ length: count }, read);
  }

  /** Bytes not read yet. */
  rest(): Buffer {
    return this.#buffer.subarray(this.#at);
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.#at !== this.#buffer.length)
      throw new XdrError(`${this.#buffer.length - this.#at} bytes too many in the message`);
  }

  #take(size: number): number {
    const at = this.#at;
    if (size > this.#buffer.length - at) throw new XdrError('message ends too early');
    this.#at = at + size;
    return at;
  }
}
