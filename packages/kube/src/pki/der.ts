/** A small writer of DER, the binary form of certificates (ITU-T X.690). Only what X.509 needs. */

function tlv(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes]);
  const digits: number[] = [];
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return Buffer.from([0x80 | digits.length, ...digits]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => tlv(0x30, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => tlv(0x31, ...items);
export const boolean = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]));
export const octetString = (content: Uint8Array): Buffer => tlv(0x04, content);
export const utf8String = (text: string): Buffer => tlv(0x0c, Buffer.from(text, 'utf8'));
/** Context-specific, constructed. */
export const explicit = (number: number, content: Uint8Array): Buffer => tlv(0xa0 | number, content);
/** Context-specific, primitive. */
export const implicit = (number: number, content: Uint8Array): Buffer => tlv(0x80 | number, content);

/** A bit string; `unusedBits` counts the unused low bits of the last byte. */
export const bitString = (content: Uint8Array, unusedBits = 0): Buffer =>
  tlv(0x03, Buffer.from([unusedBits]), content);

/** A non-negative integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const digits = bytes.subarray(start);
  const signBit = ((digits[0] ?? 0) & 0x80) !== 0;
  return tlv(0x02, signBit ? Buffer.from([0]) : Buffer.alloc(0), digits);
}

/** An object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let high = Math.floor(arc / 128); high > 0; high = Math.floor(high / 128))
      groups.unshift((high & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return tlv(0x06, Buffer.from(bytes));
}

/** RFC 5280 4.1.2.5: UTCTime through 2049, GeneralizedTime from then on. Whole seconds. */
export function time(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().slice(0, 19).replace(/[-:T]/g, '');
  return Number(digits.slice(0, 4)) < 2050
    ? tlv(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : tlv(0x18, Buffer.from(`${digits}Z`));
}

/** The PEM form. */
export function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
