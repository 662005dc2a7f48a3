/**
 * Certificates on P-256: a CA, and leaves for servers and clients. Keys never leave memory here; `files.ts`
 * puts them on disk.
 */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import { ipBytes } from './ip-bytes.ts';
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  pem,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface CaRequest {
  readonly commonName: string;
  /** Default ten years. */
  readonly validForMs?: number;
  /** Now; epoch milliseconds. */
  readonly now: number;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly organizationalUnits?: readonly string[];
  /** Subject alternative names; an entry that is an IP address becomes one. */
  readonly names?: readonly string[];
  readonly usages: readonly ('client' | 'server')[];
  /** Default one year. */
  readonly validForMs?: number;
  readonly now: number;
}

const DAY_MS = 86_400_000;
/** Certificates count from a bit before now: clocks of peers differ. */
const BACKDATE_MS = 5 * 60_000;

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const;

/** A self-signed certificate authority. */
export function createCa({ commonName, validForMs = 3650 * DAY_MS, now }: CaRequest): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = distinguishedName(commonName);
  const keyId = keyIdentifier(publicKey);
  const certificate = issue({
    issuer: name,
    subject: name,
    publicKey,
    signer: privateKey,
    now,
    validForMs,
    extensions: [
      extension(OID.basicConstraints, sequence(boolean(true)), true),
      // digitalSignature, keyCertSign, cRLSign
      extension(OID.keyUsage, bitString(Buffer.from([0x86]), 1), true),
      extension(OID.subjectKeyId, octetString(keyId)),
    ],
  });
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** A certificate signed by the CA, with a fresh key. */
export function issueCertificate(ca: KeyPair, request: CertificateRequest): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    certificate: certifyKey(ca, publicKey, request),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A certificate signed by the CA for somebody else's key. PEM. */
export function certifyKey(ca: KeyPair, publicKey: KeyObject, request: CertificateRequest): string {
  const authority = new X509Certificate(ca.certificate);
  const names = request.names ?? [];
  return issue({
    issuer: subjectOf(authority),
    subject: distinguishedName(request.commonName, request.organizations, request.organizationalUnits),
    publicKey,
    signer: createPrivateKey(ca.key),
    now: request.now,
    validForMs: Math.min(request.validForMs ?? 365 * DAY_MS, Date.parse(authority.validTo) - request.now),
    extensions: [
      extension(OID.basicConstraints, sequence(), true),
      // digitalSignature
      extension(OID.keyUsage, bitString(Buffer.from([0x80]), 7), true),
      extension(OID.extKeyUsage, sequence(...request.usages.map((usage) => oid(OID[usage])))),
      extension(OID.subjectKeyId, octetString(keyIdentifier(publicKey))),
      extension(OID.authorityKeyId, sequence(implicit(0, keyIdentifier(authority.publicKey)))),
      ...(names.length === 0 ? [] : [extension(OID.subjectAltName, sequence(...names.map(generalName)))]),
    ],
  });
}

interface Issue {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly now: number;
  readonly validForMs: number;
  readonly extensions: readonly Buffer[];
}

function issue(request: Issue): string {
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const serial = randomBytes(16);
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    request.issuer,
    sequence(time(request.now - BACKDATE_MS), time(request.now + request.validForMs)),
    request.subject,
    request.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...request.extensions)),
  );
  const signature = sign('sha256', toBeSigned, request.signer);
  return pem('CERTIFICATE', sequence(toBeSigned, algorithm, bitString(signature)));
}

function distinguishedName(
  commonName: string,
  organizations: readonly string[] = [],
  units: readonly string[] = [],
): Buffer {
  const attribute = (type: string, value: string): Buffer => set(sequence(oid(type), utf8String(value)));
  return sequence(
    ...organizations.map((organization) => attribute(OID.organization, organization)),
    ...units.map((unit) => attribute(OID.organizationalUnit, unit)),
    attribute(OID.commonName, commonName),
  );
}

/** Our CAs carry only a common name. */
function subjectOf(certificate: X509Certificate): Buffer {
  const commonName = /(?:^|\n)CN=(.*)/.exec(certificate.subject)?.[1];
  if (commonName === undefined || certificate.subject.includes('\n')) {
    throw new Error(
      `CA "${certificate.subject.replaceAll('\n', ', ')}" was not made by podvisor: expected a common name and nothing else`,
    );
  }
  return distinguishedName(commonName);
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

/** RFC 5280 4.2.1.2, method 1, over the whole public key info: any stable value serves. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function generalName(name: string): Buffer {
  return isIP(name) === 0 ? implicit(2, Buffer.from(name)) : implicit(7, ipBytes(name));
}
