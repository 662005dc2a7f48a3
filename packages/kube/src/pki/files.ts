/** Certificates on disk: keys with mode 0600, each file replaced in one rename. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileIfThere, writePrivateFile } from '../client/private-file.ts';
import type { KeyPair } from './certificate.ts';

/** Writes `<base>.crt` and `<base>.key`. The key goes first: a certificate never meets a key that is not there. */
export function writeKeyPair(base: string, pair: KeyPair): void {
  writePrivateFile(`${base}.key`, pair.key);
  writePrivateFile(`${base}.crt`, pair.certificate, 0o644);
}

/** Reads `<base>.crt` and `<base>.key`; undefined when one is missing or they do not belong together. */
export function readKeyPair(base: string): KeyPair | undefined {
  const certificate = readFileIfThere(`${base}.crt`);
  const key = readFileIfThere(`${base}.key`);
  if (certificate === undefined || key === undefined) return undefined;
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
    ? { certificate, key }
    : undefined;
}

/** What a certificate says about its time, epoch milliseconds. */
export function validityOf(certificate: string): { readonly notBefore: number; readonly notAfter: number } {
  const parsed = new X509Certificate(certificate);
  return { notBefore: Date.parse(parsed.validFrom), notAfter: Date.parse(parsed.validTo) };
}

/** True when less than a fifth of its life is left. */
export function isNearExpiry(certificate: string, now: number): boolean {
  const { notBefore, notAfter } = validityOf(certificate);
  return notAfter - now < (notAfter - notBefore) / 5;
}
