import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '@podvisor/base';
import { createCa, KubeClient } from '@podvisor/kube';

import { TestClient } from '../../../apiserver/src/testing/test-client.ts';
import { startTestServer } from '../../../apiserver/src/testing/test-server.ts';
import { at } from '../../../apiserver/src/wire/json.ts';
import { runCertificateSigner } from './signer.ts';

const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

test('an approved request is signed', async () => {
  await using server = await startTestServer();
  const admin = new TestClient(server);
  const read = (name: string): string => readFileSync(join(server.directory, name), 'utf8');
  const now = systemClock.now();
  const client = KubeClient.fromAccess({
    server: server.server.url,
    ca: read('ca.crt'),
    certificate: read('admin.crt'),
    key: read('admin.key'),
  });
  const ending = new AbortController();
  const said: unknown[] = [];
  const say = (...words: readonly unknown[]): void => void said.push(words);
  const ca = createCa({ commonName: 'signers', now });
  const log = { info: say, warn: say, error: say };
  runCertificateSigner({ client, ca: () => ca, clock: systemClock, log }, ending.signal);
  try {
    const request = execFileSync(
      'openssl',
      ['req', '-new', '-nodes', '-newkey', 'rsa:2048', '-keyout', '/dev/null', '-subj', '/CN=anna'],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    ).toString('base64');
    const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
    await admin.send('POST', CSRS, { metadata: { name: 'anna' }, spec });
    const conditions = [{ type: 'Approved', status: 'True', reason: 'x' }];
    const merge = { 'content-type': 'application/merge-patch+json' };
    await admin.send('PATCH', `${CSRS}/anna/approval`, { status: { conditions } }, merge);
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
      const { body } = await admin.send('GET', `${CSRS}/anna`);
      const certificate = at(body, 'status', 'certificate');
      if (typeof certificate === 'string') {
        const signed = new X509Certificate(Buffer.from(certificate, 'base64'));
        assert.equal(signed.subject, 'CN=anna');
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail(JSON.stringify([said, (await admin.send('GET', `${CSRS}/anna`)).body]));
  } finally {
    ending.abort();
    await client.close();
  }
});
