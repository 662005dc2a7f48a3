import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createCa, issueCertificate } from './certificate.ts';
import { isNearExpiry, readKeyPair, validityOf, writeKeyPair } from './files.ts';
import { ipBytes } from './ip-bytes.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

test('a leaf names its subject, is signed by its CA and ends within its life', () => {
  const ca = createCa({ commonName: 'test-ca', now: NOW });
  const leaf = issueCertificate(ca, {
    commonName: 'system:node:größe',
    organizations: ['system:nodes', 'zwei'],
    names: ['localhost', '10.0.0.1', 'fd00::1'],
    usages: ['client', 'server'],
    validForMs: 10 * DAY_MS,
    now: NOW,
  });
  const [root, certificate] = [new X509Certificate(ca.certificate), new X509Certificate(leaf.certificate)];
  assert.ok(root.ca && !certificate.ca);
  assert.ok(certificate.checkIssued(root) && certificate.verify(root.publicKey));
  assert.equal(certificate.checkHost('localhost'), 'localhost');
  assert.equal(certificate.checkIP('fd00::1'), 'fd00::1');
  assert.equal(certificate.checkHost('other'), undefined);
  assert.deepEqual(
    { ...certificate.toLegacyObject().subject },
    { O: ['system:nodes', 'zwei'], CN: 'system:node:größe' },
  );
  assert.equal(validityOf(leaf.certificate).notAfter, NOW + 10 * DAY_MS);
});

test('a leaf never outlives its CA', () => {
  const ca = createCa({ commonName: 'test-ca', validForMs: 5 * DAY_MS, now: NOW });
  const leaf = issueCertificate(ca, { commonName: 'x', usages: ['client'], now: NOW + DAY_MS });
  assert.equal(validityOf(leaf.certificate).notAfter, NOW + 5 * DAY_MS);
});

test('near its end means that a fifth of its life is left', () => {
  const { certificate } = createCa({ commonName: 'test-ca', validForMs: 100 * DAY_MS, now: NOW });
  assert.equal(isNearExpiry(certificate, NOW + 79 * DAY_MS), false);
  assert.equal(isNearExpiry(certificate, NOW + 81 * DAY_MS), true);
});

test('years from 2050 on have four digits', () => {
  const { certificate } = createCa({ commonName: 'test-ca', validForMs: 40 * 365 * DAY_MS, now: NOW });
  assert.equal(validityOf(certificate).notAfter, NOW + 40 * 365 * DAY_MS);
});

test('files: the key is private, a pair that does not belong together is no pair', () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-pki-'));
  try {
    const base = join(directory, 'sub', 'leaf');
    assert.equal(readKeyPair(base), undefined);
    const pair = createCa({ commonName: 'a', now: NOW });
    writeKeyPair(base, pair);
    assert.deepEqual(readKeyPair(base), pair);
    assert.equal(statSync(`${base}.key`).mode & 0o777, 0o600);
    writeFileSync(`${base}.key`, createCa({ commonName: 'b', now: NOW }).key);
    assert.equal(readKeyPair(base), undefined);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('property: addresses keep their bytes', () => {
  fc.assert(fc.property(fc.ipV4(), (address) => assert.equal([...ipBytes(address)].join('.'), address)));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
      const bytes = ipBytes(groups.map((group) => group.toString(16)).join(':'));
      assert.deepEqual(
        groups,
        Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i)),
      );
    }),
  );
  assert.equal(ipBytes('::ffff:1.2.3.4').toString('hex'), '00000000000000000000ffff01020304');
});

test('property: any printable name survives the encoding', () => {
  const ca = createCa({ commonName: 'test-ca', now: NOW });
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9:._-]{1,60}$/), (commonName) => {
      const { certificate } = issueCertificate(ca, { commonName, usages: ['client'], now: NOW });
      assert.equal(new X509Certificate(certificate).subject, `CN=${commonName}`);
    }),
    { numRuns: 30 },
  );
});
