/** Reads the protobuf wire format: tags, varints and length-delimited bytes, never beyond the end. */

/** The bytes are not protobuf, or not of this message. */
export class ProtobufError extends Error {}

export interface WireField {
  readonly number: number;
  /** A varint or fixed value; bytes for strings, messages and packed lists. */
  readonly value: bigint | Buffer;
}

/** The fields of one message in order. */
export function* readFields(bytes: Buffer): Generator<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('proto: integer overflow');
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new ProtobufError('unexpected EOF');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const kind = Number(tag & 7n);
    if (number === 0) throw new ProtobufError(`proto: illegal tag 0 (wire type ${kind})`);
    if (kind === 0) yield { number, value: varint() };
    else if (kind === 1) yield { number, value: take(8).readBigUInt64LE() };
    else if (kind === 2) yield { number, value: take(Number(varint())) };
    else if (kind === 5) yield { number, value: BigInt(take(4).readUInt32LE()) };
    else throw new ProtobufError(`proto: illegal wireType ${kind}`);
  }
}

/** A signed 64-bit value. */
export function signed(value: bigint | Buffer): number {
  if (typeof value !== 'bigint') throw new ProtobufError('proto: wrong wireType = 2');
  return Number(BigInt.asIntN(64, value));
}

export function bytesOf(value: bigint | Buffer): Buffer {
  if (typeof value === 'bigint') throw new ProtobufError('proto: wrong wireType = 0');
  return value;
}
