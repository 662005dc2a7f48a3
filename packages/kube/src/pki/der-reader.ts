/** A small reader of DER, as strict as X.509 needs it. Throws DerError on anything else; never reads past its input. */

export class DerError extends Error {
  override readonly name = 'DerError';
}

export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** With tag and length, as it was signed. */
  readonly whole: Buffer;
}

/** The one value that the bytes are. */
export function readOne(bytes: Buffer, tag: number): DerValue {
  const [value, ...more] = readAll(bytes);
  if (value === undefined || more.length > 0 || value.tag !== tag)
    throw new DerError(`expected one value with tag ${tag}`);
  return value;
}

/** The values that lie one after the other in the bytes. */
export function readAll(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const value = readAt(bytes, at);
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

function readAt(bytes: Buffer, at: number): DerValue {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw new DerError('the value ends too soon');
  if ((tag & 0x1f) === 0x1f) throw new DerError('a tag of several bytes');
  const digits = first < 0x80 ? 0 : first & 0x7f;
  // 24 bits are more than any certificate has.
  if (first === 0x80 || digits > 3 || at + 2 + digits > bytes.length)
    throw new DerError('a length that is none');
  const length = digits === 0 ? first : bytes.readUIntBE(at + 2, digits);
  const start = at + 2 + digits;
  if (start + length > bytes.length) throw new DerError('the value ends too soon');
  return {
    tag,
    content: bytes.subarray(start, start + length),
    whole: bytes.subarray(at, start + length),
  };
}

/** Dotted form of an object identifier's content. */
export function oidText(content: Buffer): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    if (arc > 2 ** 40) throw new DerError('an object identifier without end');
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first = 0, ...rest] = arcs;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...rest].join('.');
}
