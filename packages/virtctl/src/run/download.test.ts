import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { namedImage } from './catalogue.ts';
import { downloadImage, type Fetch, NoInternet } from './download.ts';

const image = namedImage('ubuntu');
const content = 'a disk';
const file = 'noble-server-cloudimg-amd64.img';
const sum = createHash('sha256').update(content).digest('hex');

function server(list: string, body = content): { readonly get: Fetch; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    get: async (url) => {
      asked.push(url);
      return new Response(url === image.url ? body : list);
    },
  };
}
const directory = (): string => mkdtempSync(join(tmpdir(), 'podvisor-download-'));

test('an image with the published checksum comes once', async () => {
  const { get, asked } = server(`${sum}  ${file}\n`);
  const into = directory();
  const seen: number[] = [];
  const path = await downloadImage(image, into, get, (done) => seen.push(done));
  assert.equal(readFileSync(path, 'utf8'), content);
  assert.equal(seen.at(-1), content.length);
  await downloadImage(image, into, get, () => undefined);
  assert.deepEqual(asked, [image.checksums.url, image.url, image.checksums.url]);
});

test('other bytes are not kept', async () => {
  const into = directory();
  const { get } = server(`${sum}  ${file}\n`, 'another disk');
  await assert.rejects(
    downloadImage(image, into, get, () => undefined),
    /has sha256 .* is published: it is not used/,
  );
  assert.deepEqual(readdirSync(into), []);
});

test('a list without the image, and no answer at all', async () => {
  await assert.rejects(
    downloadImage(image, directory(), server(`${sum}  other.img\n`).get, () => undefined),
    /does not name noble-server-cloudimg-amd64\.img/,
  );
  const nobody: Fetch = async () => {
    throw new TypeError('fetch failed');
  };
  await assert.rejects(
    downloadImage(image, directory(), nobody, () => undefined),
    NoInternet,
  );
});
