import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newSigner } from '../testing/openpgp-signer.ts';
import { type ListSignature, NAMED_IMAGES, type SigningKey } from './catalogue.ts';
import { signerOf, vouchedList } from './signature.ts';

const distribution = newSigner('Images of a distribution <images@example.org>');
const stranger = newSigner('Somebody else <else@example.org>');
const list = '# two images\nSHA256 (a.qcow2) = 00\nSHA256 (b.qcow2) = 11\n';
const url = 'https://images.example/SUMS';

function directory(): string {
  return mkdtempSync(join(tmpdir(), 'podvisor-keys-'));
}
const keyAt = (fingerprint: string, keyrings: readonly string[] = []): SigningKey => ({
  fingerprint,
  url: 'https://images.example/key',
  keyrings,
});
const inside = (key: SigningKey): Exclude<ListSignature, { kind: 'none' }> => ({
  kind: 'inside',
  keys: [key],
});
const beside = (key: SigningKey): Exclude<ListSignature, { kind: 'none' }> => ({
  kind: 'detached',
  url: `${url}.gpg`,
  keys: [key],
});
const pinned = keyAt(distribution.fingerprint);

/** A server with a key and a signature; notes what it was asked for. */
function server(files: Readonly<Record<string, string | Uint8Array>>) {
  const asked: string[] = [];
  const read = async (at: string): Promise<Uint8Array> => {
    asked.push(at);
    const found = files[at];
    if (found === undefined) throw new Error(`${at} answers 404`);
    return Buffer.from(found);
  };
  return { asked, read };
}

test('a signature beside the list, and the key is kept', async () => {
  const place = directory();
  const { asked, read } = server({
    [`${url}.gpg`]: distribution.detached(list),
    [pinned.url]: distribution.armouredKey,
  });
  const signed = { url, bytes: Buffer.from(list), signature: beside(pinned) };
  const vouched = await vouchedList(signed, place, read);
  assert.deepEqual(vouched, { kind: 'good', text: list, fingerprint: distribution.fingerprint });
  await vouchedList(signed, place, read);
  assert.deepEqual(asked, [`${url}.gpg`, pinned.url, `${url}.gpg`]);
});

test('of a list with its signature inside, only what was signed is read', async () => {
  const { read } = server({ [pinned.url]: Buffer.concat([stranger.publicKey, distribution.publicKey]) });
  const text = `SHA256 (a.qcow2) = 66\n${distribution.inside(list)}SHA256 (b.qcow2) = 77\n`;
  const vouched = await vouchedList(
    { url, bytes: Buffer.from(text), signature: inside(pinned) },
    directory(),
    read,
  );
  assert.equal(vouched.text, list);
});

test('a changed list is not used', async () => {
  const { read } = server({
    [`${url}.gpg`]: distribution.detached(list),
    [pinned.url]: distribution.publicKey,
  });
  const bytes = Buffer.from(list.replace('00', '01'));
  await assert.rejects(
    vouchedList({ url, bytes, signature: beside(pinned) }, directory(), read),
    /bad signature/,
  );
  const changed = Buffer.from(distribution.inside(list).replace('= 00', '= 01'));
  await assert.rejects(
    vouchedList({ url, bytes: changed, signature: inside(pinned) }, directory(), read),
    /bad signature/,
  );
});

test('a good signature of somebody else is none, also where the server gives his key', async () => {
  const files = { [`${url}.gpg`]: stranger.detached(list), [pinned.url]: stranger.armouredKey };
  const signed = { url, bytes: Buffer.from(list), signature: beside(pinned) };
  await assert.rejects(
    vouchedList(signed, directory(), server(files).read),
    new RegExp(`has no key ${distribution.fingerprint}\\. Save the key`),
  );
  const both = { ...files, [pinned.url]: Buffer.concat([stranger.publicKey, distribution.publicKey]) };
  await assert.rejects(
    vouchedList(signed, directory(), server(both).read),
    new RegExp(`not signed by ${distribution.fingerprint}`),
  );
});

test('a list without a signature, and one whose signature is not there', async () => {
  const { read } = server({ [pinned.url]: distribution.publicKey });
  const bytes = Buffer.from(list);
  await assert.rejects(
    vouchedList({ url, bytes, signature: inside(pinned) }, directory(), read),
    /is not signed by/,
  );
  await assert.rejects(
    vouchedList({ url, bytes, signature: beside(pinned) }, directory(), read),
    /SUMS\.gpg answers 404/,
  );
});

test('keys of the machine come first, and one saved by hand', async () => {
  const place = directory();
  const keyring = join(place, 'machine.gpg');
  writeFileSync(keyring, Buffer.concat([stranger.publicKey, distribution.publicKey]));
  const bytes = Buffer.from(distribution.inside(list));
  const { asked, read } = server({});
  const signature = inside(keyAt(distribution.fingerprint, [join(place, 'none.gpg'), keyring]));
  await vouchedList({ url, bytes, signature }, place, read);
  const saved = join(place, 'keys', `${distribution.fingerprint}.gpg`);
  assert.ok(!existsSync(saved));
  mkdirSync(join(place, 'keys'));
  writeFileSync(saved, distribution.armouredKey);
  await vouchedList({ url, bytes, signature: inside(pinned) }, place, read);
  assert.deepEqual(asked, []);
  rmSync(place, { recursive: true });
});

test('what gpgv says of several signatures', () => {
  const good = (fingerprint: string): string =>
    `[GNUPG:] NEWSIG\n[GNUPG:] GOODSIG ${fingerprint.slice(24)} x\n[GNUPG:] VALIDSIG ${fingerprint} 2026-01-01 1 0 4 0 1 10 00 ${fingerprint}\n`;
  const { fingerprint } = distribution;
  const pins = [fingerprint];
  assert.equal(signerOf(good(fingerprint), pins).kind, 'good');
  assert.equal(signerOf(good(stranger.fingerprint) + good(fingerprint), pins).kind, 'good');
  assert.equal(signerOf(good(stranger.fingerprint), pins).kind, 'unknown');
  assert.equal(signerOf(`${good(fingerprint)}[GNUPG:] NEWSIG\n[GNUPG:] BADSIG 00 x\n`, pins).kind, 'bad');
  assert.equal(signerOf(good(fingerprint).replace('GOODSIG', 'EXPKEYSIG'), pins).kind, 'unknown');
  assert.equal(signerOf('', pins).kind, 'unknown');
});

test('the catalogue names whole fingerprints and HTTPS alone', () => {
  for (const { name, url: image, checksums } of NAMED_IMAGES) {
    const { signature } = checksums;
    const keys = signature.kind === 'none' ? [] : signature.keys;
    const urls = [image, checksums.url, ...keys.map((key) => key.url)];
    for (const one of urls) assert.equal(new URL(one).protocol, 'https:', name);
    for (const { fingerprint } of keys) assert.match(fingerprint, /^[0-9A-F]{40}$/, name);
    assert.ok(signature.kind === 'none' || keys.length > 0, name);
  }
});
