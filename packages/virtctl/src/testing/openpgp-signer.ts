/** A signer as distributions have one: an RSA key of OpenPGP (RFC 4880, version 4) and what it signs. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

const RSA = 1;
const SHA512 = 10;
const BINARY = 0x00;
const TEXT = 0x01;
const CERTIFICATION = 0x13;
const MADE = 1_700_000_000;

export interface Signer {
  readonly fingerprint: string;
  /** Key, user id and self-signature: what a keyring holds. */
  readonly publicKey: Uint8Array;
  readonly armouredKey: string;
  detached(content: string): Uint8Array;
  /** The text with its signature around it. */
  inside(content: string): string;
}

export function newSigner(name: string): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const body = Buffer.concat([Buffer.from([4]), uint32(MADE), Buffer.from([RSA]), mpi(n), mpi(e)]);
  const hashed = Buffer.concat([Buffer.from([0x99]), uint16(body.length), body]);
  const fingerprint = createHash('sha1').update(hashed).digest('hex').toUpperCase();
  const id = Buffer.from(name);
  const certified = Buffer.concat([hashed, Buffer.from([0xb4]), uint32(id.length), id]);
  const make = (kind: number, content: Buffer): Buffer => signature(privateKey, fingerprint, kind, content);
  const keyring = Buffer.concat([packet(6, body), packet(13, id), make(CERTIFICATION, certified)]);
  return {
    fingerprint,
    publicKey: keyring,
    armouredKey: armour('PUBLIC KEY BLOCK', keyring),
    detached: (content) => make(BINARY, Buffer.from(content)),
    inside: (content) => {
      // RFC 4880, 7.1: line ends are CR LF in what is signed, and the last one does not count.
      const canonical = Buffer.from(content.replace(/\n$/, '').replaceAll('\n', '\r\n'));
      const text = content.endsWith('\n') ? content : `${content}\n`;
      return `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${text}${armour('SIGNATURE', make(TEXT, canonical))}`;
    },
  };
}

function signature(key: KeyObject, fingerprint: string, kind: number, content: Buffer): Buffer {
  const subpackets = Buffer.concat([
    Buffer.from([5, 2]),
    uint32(MADE + 1),
    Buffer.from([22, 33, 4]),
    Buffer.from(fingerprint, 'hex'),
    ...(kind === CERTIFICATION ? [Buffer.from([2, 27, 0x03])] : []),
  ]);
  const head = Buffer.concat([Buffer.from([4, kind, RSA, SHA512]), uint16(subpackets.length), subpackets]);
  const signed = Buffer.concat([content, head, Buffer.from([4, 0xff]), uint32(head.length)]);
  const unhashed = Buffer.concat([Buffer.from([9, 16]), Buffer.from(fingerprint.slice(24), 'hex')]);
  const body = Buffer.concat([
    head,
    uint16(unhashed.length),
    unhashed,
    createHash('sha512').update(signed).digest().subarray(0, 2),
    mpi(sign('sha512', signed, key).toString('base64url')),
  ]);
  return packet(2, body);
}

/** Old format for keys and signatures, as GnuPG writes them. */
const packet = (tag: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x80 | (tag << 2) | 1]), uint16(body.length), body]);

function mpi(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, 'base64url');
  const start = bytes.findIndex((byte) => byte !== 0);
  const bits = (bytes.length - start) * 8 - Math.clz32(bytes[start] ?? 0) + 24;
  return Buffer.concat([uint16(bits), bytes.subarray(start)]);
}

function armour(what: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN PGP ${what}-----`, '', ...lines, `-----END PGP ${what}-----`, ''].join('\n');
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const uint32 = (value: number): Buffer =>
  Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((v) => v & 0xff));
