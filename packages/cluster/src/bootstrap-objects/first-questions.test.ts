/** What components ask first, asked as soon as the port of a new home is open. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubernetesObject } from '@podvisor/api';
import { systemClock } from '@podvisor/base';
import {
  createCa,
  fixedCredentials,
  issueCertificate,
  KubeClient,
  type Resource,
  resources,
  stderrLog,
} from '@podvisor/kube';
import { startTestServer, type TestServer } from '../../../apiserver/src/testing/test-server.ts';
import { innerClient } from '../inner-client.ts';
import { NAMESPACE } from '../pki-bootstrap/identities.ts';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { installFoundations } from './foundations.ts';
import { TEST_CONFIG } from './testing/test-config.ts';

let running: TestServer;

before(async () => {
  const now = systemClock.now();
  const ca = createCa({ commonName: 'home', now });
  const organizations = ['system:masters'];
  const admin = issueCertificate(ca, { commonName: 'admin', organizations, usages: ['client'], now });
  const names = ['127.0.0.1'];
  const serving = issueCertificate(ca, { commonName: 'kube-apiserver', usages: ['server'], names, now });
  running = await startTestServer({
    overrides: {
      tls: { cert: serving.certificate, key: serving.key, clientCa: ca.certificate },
      beforeListening: async (inside) => {
        const client = innerClient(inside, admin.certificate, 'test');
        const objects = bootstrapObjects(TEST_CONFIG, { kubevirtCa: ca.certificate, kvmUsable: false });
        await installFoundations({ client, clock: systemClock, log: stderrLog }, objects);
        await client.close();
      },
    },
  });
});
after(() => running[Symbol.asyncDispose]());

const QUESTIONS: readonly (readonly [string, Resource<KubernetesObject>, string?])[] = [
  ['kubevirt-apiserver', resources.kubeVirts, NAMESPACE],
  ['kubevirt-apiserver', resources.configMaps, 'kube-system'],
  ['kubevirt-controller', resources.kubeVirts, NAMESPACE],
  ['kubevirt-controller', resources.virtualMachines],
  ['kubevirt-handler', resources.virtualMachineInstances],
  ['kubevirt-handler', resources.pods],
  ['kubevirt-data-volumes', resources.dataVolumes],
];

for (const [account, resource, namespace] of QUESTIONS)
  test(`${account} may list ${resource.plural}, which are served`, async () => {
    const dial = running.server.admitAccount(NAMESPACE, account);
    const client = new KubeClient({ credentials: fixedCredentials({ server: 'http://in-process' }), dial });
    const fieldSelector = 'metadata.name=extension-apiserver-authentication';
    const { items } = await client.list(resource, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(namespace === 'kube-system' ? { fieldSelector } : {}),
    });
    assert.equal(items.length, namespace === 'kube-system' ? 1 : 0);
    await client.close();
  });
