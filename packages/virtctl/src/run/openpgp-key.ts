/**
 * OpenPGP public keys (RFC 4880), as far as they must be read to pick one out of a keyring by its fingerprint: armour,
 * packet headers, fingerprints of version 4. Whether a signature is good is gpgv's to say, not ours. Bytes come from
 * web servers: every length is checked, and what is no key gives no key.
 */
import { createHash } from 'node:crypto';

const PUBLIC_KEY = 6;
const BEGIN = '-----BEGIN PGP PUBLIC KEY BLOCK-----';
const END = '-----END PGP PUBLIC KEY BLOCK-----';

interface Packet {
  readonly tag: number;
  /** Where its header begins and where its body ends, in the keyring. */
  readonly from: number;
  readonly to: number;
  readonly body: Uint8Array;
}

/** The binary form of a keyring that may be armoured. Its checksum (CRC24) is left out: the fingerprint counts. */
export function binaryKeyring(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  if (!text.includes(BEGIN)) return bytes;
  const blocks: Buffer[] = [];
  for (const block of text.split(BEGIN).slice(1)) {
    const lines = block.slice(0, Math.max(0, block.indexOf(END))).split(/\r?\n/);
    const body = lines.slice(lines.indexOf('', 1) + 1).filter((line) => !line.startsWith('='));
    blocks.push(Buffer.from(body.join(''), 'base64'));
  }
  return Buffer.concat(blocks);
}

/** The primary key of a fingerprint (40 upper-case digits) with all that belongs to it; undefined where it is not. */
export function keyOf(keyring: Uint8Array, fingerprint: string): Uint8Array | undefined {
  const packets = packetsOf(keyring);
  const start = packets.findIndex((packet) => fingerprintOf(packet) === fingerprint);
  if (start === -1) return undefined;
  const next = packets.findIndex(({ tag }, index) => index > start && tag === PUBLIC_KEY);
  const last = packets[next === -1 ? packets.length - 1 : next - 1];
  return keyring.slice(packets[start]?.from, last?.to);
}

/** RFC 4880, 12.2: SHA-1 over 0x99, the length of the body in two bytes, and the body. */
function fingerprintOf({ tag, body }: Packet): string | undefined {
  if (tag !== PUBLIC_KEY || body[0] !== 4) return undefined;
  const header = Uint8Array.of(0x99, body.length >> 8, body.length & 0xff);
  return createHash('sha1').update(header).update(body).digest('hex').toUpperCase();
}

/** Until the end, or until something that is no packet. */
function packetsOf(keyring: Uint8Array): readonly Packet[] {
  const packets: Packet[] = [];
  for (let from = 0; from < keyring.length; ) {
    const head = headerAt(keyring, from);
    if (head === undefined || head.to > keyring.length) break;
    packets.push({ tag: head.tag, from, to: head.to, body: keyring.subarray(head.body, head.to) });
    from = head.to;
  }
  return packets;
}

/** RFC 4880, 4.2. Partial and indeterminate lengths are not used for keys. */
function headerAt(
  bytes: Uint8Array,
  at: number,
): { readonly tag: number; readonly body: number; readonly to: number } | undefined {
  const first = bytes[at] ?? 0;
  const number = (from: number, size: number): number => {
    let value = 0;
    for (let index = from; index < from + size; index++) value = value * 256 + (bytes[index] ?? 0);
    return value;
  };
  const packet = (tag: number, lengthBytes: number, length: number) => {
    const body = at + 1 + lengthBytes;
    return { tag, body, to: body + length };
  };
  if ((first & 0x80) === 0) return undefined;
  if ((first & 0x40) === 0) {
    const size = 1 << (first & 3);
    return size === 8 ? undefined : packet((first >> 2) & 15, size, number(at + 1, size));
  }
  const tag = first & 63;
  const length = bytes[at + 1] ?? 0;
  if (length < 192) return packet(tag, 1, length);
  if (length < 224) return packet(tag, 2, (length - 192) * 256 + (bytes[at + 2] ?? 0) + 192);
  return length === 255 ? packet(tag, 5, number(at + 2, 4)) : undefined;
}
