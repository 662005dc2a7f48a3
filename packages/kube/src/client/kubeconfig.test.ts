import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { kubeconfigCredentials } from './credentials.ts';
import { loadKubeconfig, parseKubeconfig, writeKubeconfig } from './kubeconfig.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'podvisor-kubeconfig-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const access = { server: 'https://127.0.0.1:6443', ca: 'CA', certificate: 'CERT', key: 'KEY' };

test('what is written can be read, by its owner only', () => {
  const path = join(directory, 'deep', 'config');
  writeKubeconfig(path, { name: 'podvisor', user: 'admin', access });
  const { server, ca, certificate, key } = loadKubeconfig(path);
  assert.deepEqual({ server, ca, certificate, key }, access);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('our own file is replaced, a foreign one never', () => {
  const path = join(directory, 'config');
  writeKubeconfig(path, { name: 'podvisor', user: 'admin', access });
  writeKubeconfig(path, {
    name: 'podvisor',
    user: 'admin',
    access: { ...access, server: 'https://127.0.0.1:7443' },
  });
  assert.equal(loadKubeconfig(path).server, 'https://127.0.0.1:7443');
  writeFileSync(path, 'apiVersion: v1\n');
  assert.throws(
    () => writeKubeconfig(path, { name: 'podvisor', user: 'admin', access }),
    /was not written by podvisor/,
  );
  assert.equal(readFileSync(path, 'utf8'), 'apiVersion: v1\n');
});

const foreign = `
apiVersion: v1
current-context: a
clusters:
- {name: c, cluster: {server: "https://one/", certificate-authority: ca.pem}}
- {name: d, cluster: {server: "https://two:8443/prefix", insecure-skip-tls-verify: true, tls-server-name: api}}
users:
- {name: u, user: {token: "2026-01-01"}}
- {name: w, user: {exec: {command: login}}}
contexts:
- {name: a, context: {cluster: c, user: u, namespace: ns}}
- {name: b, context: {cluster: d, user: u}}
- {name: x, context: {cluster: d, user: w}}
`;

test('contexts, file references and tokens of other tools', () => {
  writeFileSync(join(directory, 'ca.pem'), 'PEM');
  const path = join(directory, 'config');
  const a = parseKubeconfig(foreign, { path });
  assert.deepEqual([a.server, a.ca, a.token, a.namespace], ['https://one', 'PEM', '2026-01-01', 'ns']);
  const b = parseKubeconfig(foreign, { path, context: 'b' });
  assert.deepEqual(
    [b.server, b.insecureSkipTlsVerify, b.tlsServerName],
    ['https://two:8443/prefix', true, 'api'],
  );
});

test('what cannot be used is said with the name of the file', () => {
  const path = join(directory, 'config');
  assert.throws(() => loadKubeconfig(path), /kubeconfig .*config cannot be read/);
  assert.throws(() => parseKubeconfig(foreign, { path, context: 'nope' }), /has no context named "nope"/);
  assert.throws(() => parseKubeconfig(foreign, { path, context: 'x' }), /credential plugin/);
});

test('a renewed file is read again', () => {
  const path = join(directory, 'config');
  writeKubeconfig(path, { name: 'p', user: 'a', access });
  let now = 0;
  const credentials = kubeconfigCredentials(path, () => now);
  assert.equal(credentials.current().certificate, 'CERT');
  assert.equal(credentials.current(), credentials.current());
  writeKubeconfig(path, { name: 'p', user: 'a', access: { ...access, certificate: 'NEW' } });
  utimesSync(path, new Date(), new Date(Date.now() + 5000));
  assert.equal(credentials.current().certificate, 'CERT', 'a request that is under way keeps who it is');
  now += 1000;
  assert.equal(credentials.current().certificate, 'NEW');
});
