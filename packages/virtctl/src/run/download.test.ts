/** Against an HTTP server of the test's own, with a key that the test makes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { newSigner } from '../testing/openpgp-signer.ts';
import type { ListSignature, NamedImage } from './catalogue.ts';
import { downloadImage, type Fetch, NoInternet } from './download.ts';

const content = 'a disk';
const file = 'disk.qcow2';
const sum = createHash('sha256').update(content).digest('hex');
const list = `${sum}  ${file}\n`;
const distribution = newSigner('Images of a distribution <images@example.org>');

let files: Record<string, string | Uint8Array> = {};
let asked: string[] = [];
let server: Server;
let base = '';
before(async () => {
  server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const found = files[url];
    response.writeHead(found === undefined ? 404 : 200).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());
beforeEach(() => {
  asked = [];
  files = {
    [`/${file}`]: content,
    '/SUMS': list,
    '/SUMS.gpg': distribution.detached(list),
    '/key': distribution.armouredKey,
  };
});

const unsigned: ListSignature = { kind: 'none', because: 'the test signs none' };
const signed = (): ListSignature => ({
  kind: 'detached',
  url: `${base}/SUMS.gpg`,
  keys: [{ fingerprint: distribution.fingerprint, url: `${base}/key`, keyrings: [] }],
});
const image = (signature: ListSignature): NamedImage => ({
  ...{ name: 'test', description: 'A test', preference: 'linux', user: 'user', disk: '1Gi', memory: '1Gi' },
  url: `${base}/${file}`,
  checksums: { url: `${base}/SUMS`, algorithm: 'sha256', signature },
});
const directory = (): string => mkdtempSync(join(tmpdir(), 'podvisor-download-'));
const download = (signature: ListSignature, into = directory(), get: Fetch = fetch) =>
  downloadImage(image(signature), into, get, () => undefined);

test('an image with the published checksum comes once', async () => {
  const into = directory();
  const seen: number[] = [];
  const { path, believed } = await downloadImage(image(unsigned), into, fetch, (done) => seen.push(done));
  assert.equal(readFileSync(path, 'utf8'), content);
  assert.equal(seen.at(-1), content.length);
  assert.match(believed, /is not signed \(the test signs none\): it is believed because 127\.0\.0\.1/);
  await download(unsigned, into);
  assert.deepEqual(asked, ['/SUMS', `/${file}`, '/SUMS']);
});

test('a signed list is believed because of its signature', async () => {
  const { path, believed } = await download(signed());
  assert.equal(readFileSync(path, 'utf8'), content);
  assert.equal(believed, `the list of checksums has a good signature of ${distribution.fingerprint}`);
});

test('a list with a bad signature, or with none where one is published, brings no image', async () => {
  const into = directory();
  files['/SUMS'] = `${createHash('sha256').update('another disk').digest('hex')}  ${file}\n`;
  files[`/${file}`] = 'another disk';
  await assert.rejects(download(signed(), into), /has a bad signature.*is not used/);
  delete files['/SUMS.gpg'];
  await assert.rejects(download(signed(), into), /SUMS\.gpg answers 404/);
  assert.ok(!asked.includes(`/${file}`));
  assert.deepEqual(
    readdirSync(into).filter((name) => name !== 'keys'),
    [],
  );
  assert.ok(existsSync(join(into, 'keys', `${distribution.fingerprint}.gpg`)));
});

test('other bytes are not kept', async () => {
  const into = directory();
  files[`/${file}`] = 'another disk';
  await assert.rejects(download(unsigned, into), /has sha256 .* is published: it is not used/);
  assert.deepEqual(readdirSync(into), []);
});

test('a list without the image, and no answer at all', async () => {
  files['/SUMS'] = `${sum}  other.img\n`;
  await assert.rejects(download(unsigned), /does not name disk\.qcow2/);
  const nobody: Fetch = async () => {
    throw new TypeError('fetch failed');
  };
  await assert.rejects(download(signed(), directory(), nobody), (error) => {
    assert.ok(error instanceof NoInternet);
    assert.match(error.message, /SUMS cannot be reached$/);
    // What ends up below it is why, not the same words again.
    assert.match(String(error.cause), /fetch failed/);
    return true;
  });
});
