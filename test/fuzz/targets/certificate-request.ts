/** Certificate signing requests of tenants, which the node agent reads before it signs. */
import { execFileSync } from 'node:child_process';
import { parseCertificateRequest } from '../../../packages/kube/src/pki/certificate-request.ts';
import { DerError } from '../../../packages/kube/src/pki/der-reader.ts';
import { bytes, expect, type FuzzTarget } from '../frame/target.ts';

const HEAD = '-----BEGIN CERTIFICATE REQUEST-----\n';
const TAIL = '\n-----END CERTIFICATE REQUEST-----\n';

function seed(algorithm: string, names: string): Uint8Array {
  const args = ['req', '-new', '-nodes', '-outform', 'DER', '-newkey', algorithm, '-keyout', '/dev/null'];
  return new Uint8Array(
    execFileSync('openssl', [...args, '-subj', '/O=a/CN=b', '-addext', `subjectAltName=${names}`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
}

const seeds = [seed('ed25519', 'DNS:a'), seed('rsa:1024', 'IP:10.0.0.1,email:a@b')];
/** A name that only a changed signature could carry: a request that passes has the subject that was signed. */
const SIGNED = 'b';

export const target: FuzzTarget = {
  seeds,
  words: ['0\x82\x01', '\x06\x03U\x04\x03', '\xa0', '1\x00', '\x30\x80', '\xff\xff\xff'],
  generate: (random) => bytes(String.fromCharCode(0x30, random.below(128)) + 'x'.repeat(random.below(64))),
  maxBytes: 8 * 1024,
  refuses: (error) => error instanceof DerError,
  feed: (input) => {
    const request = parseCertificateRequest(`${HEAD}${Buffer.from(input).toString('base64')}${TAIL}`);
    expect(request.commonName === SIGNED, 'what was signed passes, and nothing else');
  },
};
