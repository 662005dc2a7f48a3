import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { annotations, type CertificateAnswer, type Lease, type Pod } from '@podvisor/api';
import { createCa } from '@podvisor/kube';
import { planIdentity } from './node-identity.ts';
import { certificateSettings } from './settings.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const ca = createCa({ commonName: 'kubevirt.io', now: NOW });
const settings = certificateSettings({ apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', spec: {} }, 'vms');
const key = (curve = 'P-256'): string =>
  generateKeyPairSync('ec', { namedCurve: curve })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64');
const request = { pod: 'uid-1', server: key(), migrationServer: key(), migrationClient: key() };
const leaseWith = (asked: unknown, more: Record<string, string> = {}): Lease => ({
  metadata: {
    name: 'virt-handler-node-1',
    annotations: { [annotations.certificateRequest]: JSON.stringify(asked), ...more },
  },
});
const pod: Pod = {
  metadata: { name: 'virt-handler-x', uid: 'uid-1' },
  spec: { nodeName: 'node-1', containers: [] },
  status: { podIPs: [{ ip: '10.0.0.7' }] },
};
const facts = { pod, ca, bundle: [ca.certificate], settings };
const answerTo = (lease: Lease, found: Pod | undefined = pod): CertificateAnswer | undefined =>
  planIdentity(lease, { ...facts, pod: found }, NOW);

test('a request is answered with certificates of that node, for the addresses of its Pod', () => {
  const answer = answerTo(leaseWith(request));
  assert.ok(answer);
  const server = new X509Certificate(answer.server);
  assert.match(server.subject, /OU=node:node-1/);
  assert.equal(server.subjectAltName, 'IP Address:10.0.0.7');
  assert.ok(server.verify(new X509Certificate(ca.certificate).publicKey));
  assert.match(new X509Certificate(answer.migrationClient).subject, /CN=kubevirt.io:system:client:migration/);
  const told = leaseWith(request, { [annotations.certificates]: JSON.stringify(answer) });
  assert.equal(answerTo(told), undefined, 'once');
  assert.ok(planIdentity(told, facts, NOW + 20 * 3_600_000), 'again before it ends');
});

const refused: readonly [string, unknown, Pod | undefined][] = [
  ['of no Pod', request, undefined],
  ['of a Pod that is not the one on this node', { ...request, pod: 'other' }, pod],
  ['of a Pod without an address', request, { ...pod, status: {} }],
  ['with a key of another kind', { ...request, server: key('P-384') }, pod],
  ['with no key', { ...request, server: 'x' }, pod],
  ['that is no request', { pod: 1 }, pod],
  ['that is too long', { ...request, server: 'x'.repeat(5000) }, pod],
];
for (const [name, asked, found] of refused)
  test(`a request ${name} gets no certificate`, () =>
    assert.equal(planIdentity(leaseWith(asked), { ...facts, pod: found }, NOW), undefined));

test('other Leases are left alone', () => {
  const lease = leaseWith(request);
  assert.equal(answerTo({ ...lease, metadata: { ...lease.metadata, name: 'virt-controller' } }), undefined);
});
