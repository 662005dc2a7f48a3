import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { certificateNames } from '@podvisor/api';
import { issueCertificate, loadKubeconfig, readKeyPair, writeKeyPair } from '@podvisor/kube';
import { type InstanceConfig, type InstancePaths, instancePaths } from '@podvisor/sys';
import { ensurePki } from './ensure-pki.ts';
import { leafIdentities } from './identities.ts';

const config: InstanceConfig = {
  name: 'test',
  apiPort: 6443,
  virtApiPort: 8443,
  podCidr: '10.88.0.0/16',
  bridge: 'pv-test',
  nodes: [{ name: 'node1', address: '10.99.0.1', podCidr: '10.88.0.0/24', handlerPort: 8186 }],
};
const DAY_MS = 86_400_000;
let paths: InstancePaths;

beforeEach(() => {
  paths = instancePaths(mkdtempSync(join(tmpdir(), 'podvisor-pki-')));
});
afterEach(() => rmSync(paths.home, { recursive: true }));

const certificate = (file: string): X509Certificate =>
  new X509Certificate(readFileSync(join(paths.pki, file)));

test('makes identities as agreed, keys for the owner only', () => {
  const { pki } = ensurePki(paths, config);
  const handler = new X509Certificate(loadKubeconfig(pki.kubeconfig('virt-handler-node1')).certificate ?? '');
  assert.deepEqual(handler.subject.split('\n'), [
    'O=system:serviceaccounts',
    'O=system:serviceaccounts:kubevirt',
    'OU=node:node1',
    'CN=system:serviceaccount:kubevirt:kubevirt-handler',
  ]);
  assert.ok(handler.verify(certificate('ca.crt').publicKey));
  const server = certificate('virt-handler-node1/server.crt');
  assert.equal(server.checkIP('10.99.0.1'), '10.99.0.1');
  assert.ok(server.verify(certificate('kubevirt-ca.crt').publicKey));
  assert.deepEqual(server.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  assert.equal(certificate('apiserver.crt').checkIP('10.88.0.1'), '10.88.0.1');
  for (const file of [
    'pki/ca.key',
    'pki/sa.key',
    'pki/virt-api/server.key',
    'pki/virt-api.kubeconfig',
    'kubeconfig',
  ]) {
    assert.equal(statSync(join(paths.home, file)).mode & 0o777, 0o600, file);
  }
});

test('a second call writes nothing', () => {
  assert.notEqual(ensurePki(paths, config).written.length, 0);
  const before = statSync(paths.kubeconfig).mtimeMs;
  assert.deepEqual(ensurePki(paths, config).written, []);
  assert.equal(statSync(paths.kubeconfig).mtimeMs, before);
});

test('leaves near their end are renewed, the CAs stay', () => {
  ensurePki(paths, config);
  const ca = readFileSync(join(paths.pki, 'ca.crt'), 'utf8');
  assert.deepEqual(ensurePki(paths, config, Date.now() + 200 * DAY_MS).written, []);
  const { written } = ensurePki(paths, config, Date.now() + 340 * DAY_MS);
  assert.ok(
    written.includes('pki/apiserver.crt') && written.includes('pki/clients/virt-api.crt'),
    written.join(),
  );
  assert.ok(!written.includes('pki/ca.crt'));
  assert.equal(readFileSync(join(paths.pki, 'ca.crt'), 'utf8'), ca);
});

test('a new node address gets into the certificates that name nodes, and no others', () => {
  ensurePki(paths, config);
  const { written } = ensurePki(paths, { ...config, nodes: [...config.nodes, node2] });
  assert.deepEqual(written, [
    'pki/apiserver.crt',
    'pki/virt-handler-node2/server.crt',
    'pki/virt-handler-node2/ca.crt',
    'pki/virt-handler-node2/migration-server.crt',
    'pki/virt-handler-node2/migration-client.crt',
    'pki/clients/kubelet-node2.crt',
    'pki/clients/virt-handler-node2.crt',
  ]);
});

const node2 = { name: 'node2', address: '10.99.0.2', podCidr: '10.88.1.0/24', handlerPort: 8186 };
const twoNodes: InstanceConfig = {
  ...config,
  nodeNetwork: { bridge: 'pvn-test', address: '10.99.0.254', cidr: '10.99.0.0/24' },
  nodes: [...config.nodes, node2],
};

test('each node has certificates and a kubeconfig of its own, one for each purpose, and none is good for another node', () => {
  ensurePki(paths, twoNodes);
  const leaves = leafIdentities(twoNodes).filter(({ file }) => file.startsWith('virt-handler-'));
  assert.equal(leaves.length, 6);
  for (const { file } of leaves) {
    const own = file.includes('node1') ? 'node1' : 'node2';
    const leaf = certificate(`${file}.crt`);
    assert.match(leaf.subject, new RegExp(`^OU=node:${own}$`, 'm'), file);
    assert.equal(leaf.keyUsage.length, 1, `${file}: one purpose`);
    const other = own === 'node1' ? '10.99.0.2' : '10.99.0.1';
    for (const name of [other, '127.0.0.1', '10.99.0.254']) assert.equal(leaf.checkIP(name), undefined, file);
  }
  const purposes = new Set(leaves.map(({ commonName, usages }) => `${commonName} ${usages.join()}`));
  assert.equal(purposes.size, 3);
  assert.ok(leaves.every(({ commonName }) => commonName !== certificateNames.virtApiClient));
});

test('a home of an older version loses what its nodes shared and what said system:masters; guests and admin keep theirs', () => {
  ensurePki(paths, twoNodes);
  const admin = readFileSync(paths.kubeconfig, 'utf8');
  const ca = readKeyPair(join(paths.pki, 'ca'));
  assert.ok(ca !== undefined);
  const old = issueCertificate(ca, {
    commonName: 'system:node:node1',
    organizations: ['system:nodes', 'system:masters'],
    usages: ['client'],
    now: Date.now(),
  });
  writeKeyPair(join(paths.pki, 'clients/kubelet-node1'), old);
  writeKeyPair(join(paths.pki, 'clients/virt-handler'), old);
  writeKeyPair(join(paths.pki, 'virt-handler/client'), old);
  writeFileSync(join(paths.pki, 'virt-handler.kubeconfig'), '');
  const { written } = ensurePki(paths, twoNodes);
  assert.deepEqual([...written].sort(), [
    'pki/clients/kubelet-node1.crt',
    'pki/clients/virt-handler.crt',
    'pki/clients/virt-handler.key',
    'pki/virt-handler',
    'pki/virt-handler.kubeconfig',
  ]);
  assert.equal(certificate('clients/kubelet-node1.crt').subject, 'O=system:nodes\nCN=system:node:node1');
  assert.equal(readFileSync(paths.kubeconfig, 'utf8'), admin);
  assert.deepEqual(ensurePki(paths, twoNodes).written, []);
});

test('a node that left leaves no key behind', () => {
  ensurePki(paths, twoNodes);
  ensurePki(paths, { ...twoNodes, nodes: config.nodes });
  const left = readdirSync(paths.pki, { recursive: true }).filter((file) => String(file).includes('node2'));
  assert.deepEqual(left, []);
});

test('a kubeconfig that somebody else wrote is never overwritten', () => {
  writeFileSync(paths.kubeconfig, 'apiVersion: v1\nkind: Config\n');
  assert.throws(() => ensurePki(paths, config), /was not written by podvisor/);
  assert.equal(readFileSync(paths.kubeconfig, 'utf8'), 'apiVersion: v1\nkind: Config\n');
});
