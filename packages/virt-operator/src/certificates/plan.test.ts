import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import type { KubernetesObject } from '@podvisor/api';
import { nameOf } from '../install/ownership.ts';
import { type CertificatePlan, planCertificates, PUBLISHED_MS, type StoredCertificates } from './plan.ts';
import { certificateSettings } from './settings.ts';
import { certificateObjects, storedCertificates } from './stored.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-01-01T00:00:00Z');
const kubevirt = { apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt' as const, spec: {} };
const settings = certificateSettings(kubevirt, 'vms');
const EMPTY: StoredCertificates = { bundle: [], leaves: {} };

/** What a next look finds: through Secrets and the ConfigMap, as on a cluster. */
const again = (plan: CertificatePlan): StoredCertificates =>
  storedCertificates(
    new Map(
      certificateObjects(plan, 'vms').map((object): [string, KubernetesObject] => [nameOf(object), object]),
    ),
    'vms',
  );
const signers = (plan: CertificatePlan): boolean[] =>
  Object.values(plan.leaves).map(({ certificate }) =>
    new X509Certificate(certificate).verify(new X509Certificate(plan.ca.certificate).publicKey),
  );

test('KubeVirt’s lifetimes, its old names, and what is too short', () => {
  assert.deepEqual(settings.ca, { durationMs: 168 * HOUR, renewBeforeMs: 33.6 * HOUR });
  assert.deepEqual(settings.leaf, { durationMs: 24 * HOUR, renewBeforeMs: 4.8 * HOUR });
  const selfSigned = { caRotateInterval: '48h', ca: { renewBefore: '12h' }, server: { duration: '1s' } };
  const other = certificateSettings(
    { ...kubevirt, spec: { certificateRotateStrategy: { selfSigned } } },
    'vms',
  );
  assert.deepEqual(other.ca, { durationMs: 48 * HOUR, renewBeforeMs: 12 * HOUR });
  assert.equal(other.leaf.durationMs, 600_000);
});

test('what was made once stays, and it is known when to look again', () => {
  const first = planCertificates(EMPTY, settings, NOW);
  const second = planCertificates(again(first), settings, NOW + HOUR);
  assert.deepEqual({ ...second, againAfterMs: 0 }, { ...first, againAfterMs: 0 });
  assert.ok(first.againAfterMs > 18 * HOUR && first.againAfterMs <= 19.2 * HOUR);
});

test('a leaf is renewed before its end, by the same CA', () => {
  const first = planCertificates(EMPTY, settings, NOW);
  const later = planCertificates(again(first), settings, NOW + 20 * HOUR);
  assert.equal(later.ca.certificate, first.ca.certificate);
  for (const name of Object.keys(first.leaves))
    assert.notEqual(later.leaves[name]?.certificate, first.leaves[name]?.certificate);
});

test('a new CA is known to all before it signs, and the old one after', () => {
  const first = planCertificates(EMPTY, settings, NOW);
  const due = NOW + 135 * HOUR;
  const published = planCertificates(again(first), settings, due);
  assert.ok(published.next !== undefined);
  assert.equal(published.bundle.length, 2);
  assert.equal(published.ca.certificate, first.ca.certificate);
  assert.deepEqual(signers(published), [true, true, true], 'signed by the old CA still');
  const signing = planCertificates(again(published), settings, due + PUBLISHED_MS);
  assert.equal(signing.ca.certificate, published.next.certificate);
  assert.deepEqual(signers(signing), [true, true, true], 'signed by the new one');
  assert.ok(signing.bundle.includes(first.ca.certificate), 'leaves that are on their way are still good');
  const after = planCertificates(again(signing), settings, NOW + 169 * HOUR);
  assert.deepEqual(after.bundle, [after.ca.certificate], 'what has ended is forgotten');
});

test('the page shows a certificate of its own where it is installed', () => {
  const developerConfiguration = { featureGates: ['WebPage'] };
  const withPage = { ...kubevirt, spec: { configuration: { developerConfiguration } } };
  const plan = planCertificates(EMPTY, certificateSettings(withPage, 'vms'), NOW);
  const { subjectAltName } = new X509Certificate(plan.leaves['kubevirt-ui-certs']?.certificate ?? '');
  assert.equal(subjectAltName, 'DNS:virt-ui, DNS:virt-ui.vms, DNS:virt-ui.vms.svc, DNS:localhost');
  assert.ok(again(plan).leaves['kubevirt-ui-certs'] !== undefined, 'it is found again');
  assert.ok(
    !('kubevirt-ui-certs' in planCertificates(again(plan), settings, NOW).leaves),
    'and goes with it',
  );
});

test('a CA that cannot be read is made anew', () => {
  const first = planCertificates(EMPTY, settings, NOW);
  const other = planCertificates(EMPTY, settings, NOW);
  const mixed = { ...first, ca: { certificate: first.ca.certificate, key: other.ca.key } };
  assert.equal(again(mixed).ca, undefined);
});
