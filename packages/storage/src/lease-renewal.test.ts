import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import {
  decodeRenewal,
  encodeRenewal,
  type LeaseRenewal,
  readRenewal,
  renewalPath,
  writeRenewal,
} from './lease-renewal.ts';

let image: string;
beforeEach(() => {
  image = join(mkdtempSync(join(tmpdir(), 'pv-renewal-')), 'disk.img');
});
afterEach(() => rmSync(join(image, '..'), { recursive: true }));

const renewal: LeaseRenewal = {
  epoch: 3,
  holder: { vmi: 'shop/größe', uid: 'u', pod: 'p', node: 'n' },
  leaseMs: 16_000,
  silenceMs: 20_000,
  count: 7,
};

test('what was written is read, and every renewal changes the bytes', async () => {
  assert.deepEqual(await readRenewal(image), { bytes: '' });
  await writeRenewal(image, renewal);
  const first = await readRenewal(image);
  assert.deepEqual(first.renewal, renewal);
  await writeRenewal(image, { ...renewal, count: 8 });
  const second = await readRenewal(image);
  assert.notEqual(second.bytes, first.bytes);
  assert.equal(second.bytes.length, first.bytes.length);
});

test('a torn record is no record, wherever it was cut and whatever it was mixed of', async () => {
  const [one, two] = [encodeRenewal(renewal), encodeRenewal({ ...renewal, count: 8, leaseMs: 4_000 })];
  for (let cut = 1; cut < 190; cut++) {
    const mixed = Buffer.concat([one.subarray(0, cut), two.subarray(cut)]).toString('latin1');
    const read = decodeRenewal(mixed);
    if (read !== undefined)
      assert.ok(
        [one, two].some((whole) => whole.toString('latin1') === mixed),
        `cut at ${cut}`,
      );
  }
  writeFileSync(renewalPath(image), one);
  truncateSync(renewalPath(image), 100);
  assert.equal((await readRenewal(image)).renewal, undefined);
});

test('a link in its place is neither read nor written through', async () => {
  const target = join(image, '..', 'elsewhere');
  writeFileSync(target, 'precious');
  symlinkSync(target, renewalPath(image));
  assert.deepEqual(await readRenewal(image), { bytes: '' });
  await assert.rejects(writeRenewal(image, renewal), { code: 'ELOOP' });
  assert.equal(readFileSync(target, 'utf8'), 'precious');
});
