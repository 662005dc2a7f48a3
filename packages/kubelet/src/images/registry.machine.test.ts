/** Pulls from a registry with the real tools: once, checked, and with words for what goes wrong. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createCa, issueCertificate } from '@podvisor/kube';
import { findContainerDisk } from '@podvisor/storage';
import { ImageStore } from './store.ts';
import { type SmallRegistry, startRegistry } from './testing/small-registry.ts';

let root: string;
let registry: SmallRegistry;
let directory: string;
let store: ImageStore;

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'podvisor-registry-'));
  mkdirSync(join(root, 'content/disk'), { recursive: true });
  writeFileSync(join(root, 'content/disk/disk.img'), Buffer.alloc(1 << 20, 'disk'));
  execFileSync('tar', ['-czf', join(root, 'layer.tar.gz'), '-C', join(root, 'content'), 'disk']);
  registry = await startRegistry(readFileSync(join(root, 'layer.tar.gz')));
});
after(async () => {
  await registry?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  registry.corrupt = false;
  directory = mkdtempSync(join(root, 'images-'));
  store = new ImageStore(directory, { allow: ['127.0.0.0/8'] });
});

test('two Pods that need an image pull it once; its disk is in it', async () => {
  const told: string[] = [];
  const onProgress = ({ reason }: { readonly reason: string }): unknown => told.push(reason);
  const reads = registry.layerReads();
  const name = `${registry.host}/disks/small:1`;
  const [first, second] = await Promise.all([store.ensure(name, { onProgress }), store.ensure(name)]);
  assert.deepEqual(first, second);
  assert.equal(registry.layerReads() - reads, 1);
  assert.deepEqual(told, ['Pulling', 'Pulled']);
  assert.match(first.id, new RegExp(`@${registry.digest}$`));
  const disk = readFileSync(findContainerDisk(first.layers[0] ?? ''));
  assert.equal(disk.length, 1 << 20);
  await store.ensure(name, { policy: 'IfNotPresent' });
  await store.ensure(`${registry.host}/disks/small@${registry.digest}`);
  assert.deepEqual(readdirSync(directory).toSorted(), ['index.json', 'layers'], 'nothing is left over');
});

test('what is not what its digest says is refused and not kept', async () => {
  registry.corrupt = true;
  await assert.rejects(store.ensure(`${registry.host}/disks/broken:1`), {
    reason: 'ErrImagePull',
    message: /not what its digest says|digest/,
  });
  assert.deepEqual(readdirSync(directory), []);
});

test('a missing image and a registry that does not answer are told apart', async () => {
  await assert.rejects(store.ensure(`${registry.host}/disks/small:2`), /the registry does not have it/);
  await assert.rejects(store.ensure('127.0.0.1:9/disks/small:1'), /its registry does not answer/);
  await assert.rejects(store.ensure('podvisor.local/never:1'), /`podvisor image build` or `import`/);
});

describe('a registry of the network', () => {
  // Of RFC 5737: nobody else has it, and it is an address like any other.
  const ADDRESS = '198.51.100.7';
  let far: SmallRegistry;
  let secret: Server;
  let reads = 0;

  before(async () => {
    execFileSync('ip', ['address', 'add', `${ADDRESS}/32`, 'dev', 'lo']);
    const now = Date.now();
    const ca = createCa({ commonName: 'test', now });
    writeFileSync(join(root, 'ca.crt'), ca.certificate);
    process.env['SSL_CERT_FILE'] = join(root, 'ca.crt');
    const tls = issueCertificate(ca, { commonName: ADDRESS, names: [ADDRESS], usages: ['server'], now });
    far = await startRegistry(readFileSync(join(root, 'layer.tar.gz')), { address: ADDRESS, tls });
    secret = createServer((_, response) => {
      reads += 1;
      response.end('a secret');
    }).listen(0, '127.0.0.1');
    await once(secret, 'listening');
  });
  after(async () => {
    delete process.env['SSL_CERT_FILE'];
    execFileSync('ip', ['address', 'del', `${ADDRESS}/32`, 'dev', 'lo']);
    secret.close();
    await far?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    store = new ImageStore(directory);
    far.redirect = undefined;
  });

  test('is pulled from by the checked way', async () => {
    const image = await store.ensure(`${far.host}/disks/small:1`);
    assert.equal(readFileSync(findContainerDisk(image.layers[0] ?? '')).length, 1 << 20);
  });

  test('cannot lead the node to its loopback, to link-local addresses or to other forms of them', async () => {
    const { port } = secret.address() as AddressInfo;
    const refused = /is not dialled: .* is a (loopback|link-local) address|does not answer/;
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254']) {
      far.redirect = `http://${host}:${port}/secret`;
      await assert.rejects(store.ensure(`${far.host}/disks/led:1`), refused, host);
    }
    assert.equal(reads, 0, 'the loopback was never asked');
  });
});
