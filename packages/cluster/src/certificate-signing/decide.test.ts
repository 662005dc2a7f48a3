import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { CertificateSigningRequest } from '@podvisor/api';
import { planSigning } from './decide.ts';

function requestFor(subject: string, names?: string): string {
  const pem = execFileSync(
    'openssl',
    [
      ...['req', '-new', '-nodes', '-newkey', 'ed25519', '-keyout', '/dev/null', '-subj', subject],
      ...(names === undefined ? [] : ['-addext', `subjectAltName=${names}`]),
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return pem.toString('base64');
}

const person = requestFor('/O=people/CN=anna');
const node = requestFor('/O=system:nodes/CN=system:node:node-1');
const server = requestFor('/O=system:nodes/CN=system:node:node-1', 'DNS:node-1,IP:10.0.0.1');

function csr(
  signer: string,
  request: string,
  more: Partial<CertificateSigningRequest['spec']> = {},
  conditions = ['Approved'],
): CertificateSigningRequest {
  return {
    metadata: { name: 'x' },
    spec: { request, signerName: `kubernetes.io/${signer}`, usages: ['client auth'], ...more },
    status: { conditions: conditions.map((type) => ({ type, status: 'True' })) },
  };
}
const serving = { usages: ['server auth', 'digital signature'], username: 'system:node:node-1' };

const CASES: readonly (readonly [
  what: string,
  csr: CertificateSigningRequest,
  kind: string,
  words?: RegExp,
])[] = [
  ['a person', csr('kube-apiserver-client', person), 'sign'],
  ['not approved', csr('kube-apiserver-client', person, {}, []), 'none'],
  ['denied', csr('kube-apiserver-client', person, {}, ['Approved', 'Denied']), 'none'],
  ["somebody else's signer", csr('legacy-unknown', person), 'none'],
  ['masters', csr('kube-apiserver-client', requestFor('/O=system:masters/CN=x')), 'fail', /system:masters/],
  [
    'another usage',
    csr('kube-apiserver-client', person, { usages: ['client auth', 'cert sign'] }),
    'fail',
    /cert sign/,
  ],
  ['no request', csr('kube-apiserver-client', 'eA=='), 'fail', /cannot be read/],
  ['a kubelet', csr('kube-apiserver-client-kubelet', node), 'sign'],
  ['a person as kubelet', csr('kube-apiserver-client-kubelet', person), 'fail', /system:nodes/],
  ['a kubelet with names', csr('kube-apiserver-client-kubelet', server), 'fail', /subjectAltNames/],
  ['a serving node', csr('kubelet-serving', server, serving), 'sign'],
  [
    'of another node',
    csr('kubelet-serving', server, { ...serving, username: 'system:node:node-2' }),
    'fail',
    /own name/,
  ],
  ['without names', csr('kubelet-serving', node, serving), 'fail', /DNS names or addresses/],
];
for (const [what, request, kind, words] of CASES)
  test(`${what}: ${kind}`, () => {
    const plan = planSigning(request);
    assert.equal(plan.kind, kind);
    if (words !== undefined) assert.match(plan.kind === 'fail' ? plan.message : '', words);
  });

test('it counts as long as asked, ten minutes at least and a year at most', () => {
  const days = (expirationSeconds?: number): number => {
    const more = expirationSeconds === undefined ? {} : { expirationSeconds };
    const plan = planSigning(csr('kube-apiserver-client', person, more));
    return plan.kind === 'sign' ? plan.validForMs / 1000 : 0;
  };
  assert.deepEqual([days(), days(1), days(3600), days(1e9)], [31_536_000, 600, 3600, 31_536_000]);
});
