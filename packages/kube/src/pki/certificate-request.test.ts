import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseCertificateRequest } from './certificate-request.ts';
import { certifyKey, createCa } from './certificate.ts';
import { DerError } from './der-reader.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function made(...algorithm: readonly string[]): { readonly pem: string; readonly key: string } {
  const work = mkdtempSync(join(tmpdir(), 'csr-'));
  try {
    const [key, csr] = [join(work, 'key'), join(work, 'csr')];
    execFileSync(
      'openssl',
      [
        ...['req', '-new', '-nodes', '-newkey', ...algorithm, '-keyout', key, '-out', csr],
        ...['-subj', '/O=people/O=friends/CN=anna'],
        ...['-addext', 'subjectAltName=DNS:a.example,IP:10.0.0.1'],
      ],
      { stdio: 'ignore' },
    );
    return { pem: readFileSync(csr, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(work, { recursive: true });
  }
}

for (const algorithm of [['rsa:2048'], ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], ['ed25519']])
  test(`a request with a key of ${algorithm[0]} is read, proved and signed`, () => {
    const { pem, key } = made(...algorithm);
    const request = parseCertificateRequest(pem);
    assert.equal(request.commonName, 'anna');
    assert.deepEqual(request.organizations, ['people', 'friends']);
    assert.deepEqual(request.dnsNames, ['a.example']);
    const ca = createCa({ commonName: 'test', now: NOW });
    assert.deepEqual(request.addresses, ['10.0.0.1']);
    const { publicKey, dnsNames, addresses } = request;
    const names = [...dnsNames, ...addresses];
    const text = certifyKey(ca, publicKey, {
      ...request,
      names,
      usages: ['client'],
      validForMs: 3_600_000,
      now: NOW,
    });
    const certificate = new X509Certificate(text);
    assert.ok(certificate.verify(new X509Certificate(ca.certificate).publicKey));
    assert.ok(certificate.checkPrivateKey(createPrivateKey(key)));
    assert.match(certificate.subject, /O=people\nO=friends\nCN=anna/);
    assert.equal(certificate.subjectAltName, 'DNS:a.example, IP Address:10.0.0.1');
    assert.equal(certificate.ca, false);
    assert.equal(Date.parse(certificate.validTo), NOW + 3_600_000);
  });

test('a request whose subject was changed proves nothing', () => {
  const { pem } = made('ed25519');
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
  der.write('otto', der.indexOf('anna'));
  const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  assert.throws(() => parseCertificateRequest(forged), DerError);
});
