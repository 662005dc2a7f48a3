/**
 * Certificate signing requests (PKCS #10, RFC 2986) of strangers: whom they name, and the key, which they prove to
 * have. Bounded; throws DerError, or another Error with a sentence, on what is none.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { DerError, type DerValue, oidText, readAll, readOne } from './der-reader.ts';

export interface ParsedRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly addresses: readonly string[];
  /** Email addresses, URIs and names of other kinds that it asks for: how many. */
  readonly otherNames: number;
  readonly publicKey: KeyObject;
}

const MAX_BYTES = 64 * 1024;
const SEQUENCE = 0x30;
const SET = 0x31;
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const SUBJECT_ALT_NAME = '2.5.29.17';
/** Signature algorithm → digest; null where the key says it (Ed25519). */
const DIGESTS: Readonly<Record<string, string | null>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.3.101.112': null,
};

export function parseCertificateRequest(pem: string): ParsedRequest {
  const body = /-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----/.exec(
    pem.slice(0, MAX_BYTES),
  )?.[1];
  if (body === undefined) throw new DerError('no CERTIFICATE REQUEST block');
  const [info, algorithm, signature] = readAll(readOne(Buffer.from(body, 'base64'), SEQUENCE).content);
  if (info === undefined || algorithm === undefined || signature === undefined)
    throw new DerError('the request is not complete');
  const [version, subject, spki, attributes] = readAll(info.content);
  if (version === undefined || subject?.tag !== SEQUENCE || spki?.tag !== SEQUENCE)
    throw new DerError('the request names no subject or no key');
  const publicKey = keyOf(spki);
  prove(info, algorithm, signature, publicKey);
  const names = readAll(subject.content).flatMap(namesOf);
  const of = (type: string): readonly string[] =>
    names.filter((one) => one.type === type).map(({ text }) => text);
  const alternative = alternativeNames(attributes);
  return {
    commonName: of(COMMON_NAME).at(-1) ?? '',
    organizations: of(ORGANIZATION),
    dnsNames: alternative.filter(({ tag }) => tag === 0x82).map(({ content }) => content.toString('latin1')),
    addresses: alternative.filter(({ tag }) => tag === 0x87).map(({ content }) => addressText(content)),
    otherNames: alternative.filter(({ tag }) => tag !== 0x82 && tag !== 0x87).length,
    publicKey,
  };
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return [...bytes].join('.');
  if (bytes.length !== 16) throw new DerError('an address that is none');
  return (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
}

function keyOf(spki: DerValue): KeyObject {
  try {
    return createPublicKey({ key: spki.whole, format: 'der', type: 'spki' });
  } catch (error) {
    throw new DerError('the key is of no kind that is known', { cause: error });
  }
}

/** Whoever asks has the private key. */
function prove(info: DerValue, algorithm: DerValue, signature: DerValue, key: KeyObject): void {
  const [id] = readAll(algorithm.content);
  const name = oidText(id?.content ?? Buffer.alloc(0));
  if (!(name in DIGESTS)) throw new DerError(`signature algorithm ${name} is not known`);
  const digest = DIGESTS[name];
  // The first byte of a bit string counts its unused bits.
  const bytes = signature.content.subarray(1);
  let good = false;
  try {
    good = verify(digest ?? null, info.whole, key, bytes);
  } catch {
    // a signature that does not fit the key proves nothing
  }
  if (!good) throw new DerError('the signature of the request is wrong');
}

function namesOf(relative: DerValue): readonly { readonly type: string; readonly text: string }[] {
  if (relative.tag !== SET) throw new DerError('a subject that is no name');
  return readAll(relative.content).map((attribute) => {
    const [type, value] = readAll(attribute.content);
    if (type === undefined || value === undefined) throw new DerError('a subject that is no name');
    return { type: oidText(type.content), text: value.content.toString('utf8') };
  });
}

function alternativeNames(attributes: DerValue | undefined): readonly DerValue[] {
  if (attributes === undefined) return [];
  const asked = readAll(attributes.content).flatMap((attribute) => {
    const [type, values] = readAll(attribute.content);
    if (type === undefined || values === undefined || oidText(type.content) !== EXTENSION_REQUEST) return [];
    return readAll(values.content).flatMap((extensions) => readAll(extensions.content));
  });
  return asked.flatMap((extension) => {
    const parts = readAll(extension.content);
    const value = parts.at(-1);
    if (parts[0] === undefined || value === undefined || oidText(parts[0].content) !== SUBJECT_ALT_NAME)
      return [];
    return readAll(readOne(value.content, SEQUENCE).content);
  });
}
