import assert from 'node:assert/strict';
import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findLease, readLease } from './lease.ts';
import { LeaseTakenError, takeLease } from './take-lease.ts';

test('the epoch rises with every holder; what is not a lease is none, and is replaced, not followed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-lease-'));
  const image = join(directory, 'disk.img');
  const holder = (uid: string) => ({ vmi: 'shop/web', uid, pod: 'launcher' });
  try {
    assert.equal(readLease(image), undefined);
    assert.equal(takeLease(image, holder('a'), 'now').epoch, 1);
    assert.equal(takeLease(image, holder('b'), 'then').epoch, 2);
    assert.equal(readLease(image)?.holder.uid, 'b');
    rmSync(join(directory, '.disk.img.lease'));
    assert.equal(readLease(image)?.epoch, 2, 'its copy is not the lease');
    for (const epoch of [1, 2]) rmSync(join(directory, `.disk.img.lease.${epoch}`));
    writeFileSync(join(directory, 'secret'), '{"epoch":7,"holder":{"uid":"x"},"takenAt":""}');
    symlinkSync('secret', join(directory, '.disk.img.lease'));
    assert.equal(readLease(image), undefined);
    assert.equal(takeLease(image, holder('c'), 'later').epoch, 1);
    assert.deepEqual(readdirSync(directory).toSorted(), ['.disk.img.lease', '.disk.img.lease.1', 'secret']);
    writeFileSync(join(directory, '.disk.img.lease.1'), '{"epoch":');
    writeFileSync(join(directory, '.disk.img.lease'), '{"epoch":');
    assert.deepEqual([readLease(image)?.epoch, readLease(image)?.holder.pod], [1, 'unknown']);
    rmSync(join(directory, '.disk.img.lease.1'));
    assert.equal(readLease(image), undefined);
    symlinkSync('secret', join(directory, '.disk.img.lease.4'));
    assert.equal(takeLease(image, holder('d'), 'last').epoch, 1);
    assert.throws(() => takeLease(image, holder('d'), 'last'), LeaseTakenError);
    assert.equal(takeLease(image, holder('d'), 'last').epoch, 5, 'a name is taken, whatever is behind it');
    assert.equal(readFileSync(join(directory, 'secret'), 'utf8').includes('"x"'), true);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('the lease of a version before this one counts, and is followed by its next epoch', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-lease-'));
  const image = join(directory, 'disk.img');
  const holder = { vmi: 'shop/web', uid: 'a', pod: 'p' };
  try {
    const old = { epoch: 12, holder, takenAt: 'then' };
    writeFileSync(join(directory, '.disk.img.lease'), JSON.stringify(old));
    assert.deepEqual(readLease(image), old);
    assert.equal(takeLease(image, holder, 'now').epoch, 13);
    const names = ['', '.1', '.12', '.13', '.2', '.4', '.8'].map((end) => `.disk.img.lease${end}`);
    assert.deepEqual(readdirSync(directory).toSorted(), names, 'what it is found by is made up for');
    assert.deepEqual(JSON.parse(readFileSync(join(directory, '.disk.img.lease.12'), 'utf8')), old);
    // One of them that runs beside newer ones (the other node is not updated yet) signs in the copy.
    writeFileSync(join(directory, '.disk.img.lease'), JSON.stringify({ ...old, epoch: 14 }));
    assert.equal(readLease(image)?.epoch, 14);
    assert.equal(takeLease(image, holder, 'later', { after: 14 }).epoch, 15);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('a directory that was filled with names is not listed: what it costs is the same, and nothing is lost', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-lease-'));
  const image = join(directory, 'disk.img');
  const holder = { vmi: 'shop/web', uid: 'a', pod: 'p' };
  try {
    // Like epochs and drafts as well: of those, too, only a part is looked at.
    writeFileSync(join(directory, 'filled'), '');
    for (let name = 1; name < 2_000; name += 1)
      linkSync(join(directory, 'filled'), join(directory, `.disk.img.lease.new-${name}`));
    for (let epoch = 1; epoch <= 20; epoch += 1) {
      const { token } = takeLease(image, holder, 'now');
      assert.deepEqual([readLease(image)?.epoch, (await findLease(image))?.token], [epoch, token]);
      if (epoch === 1) assert.ok(readdirSync(directory).length > 500, 'one taking tidies a part');
    }
    const left = readdirSync(directory).filter((name) => name.startsWith('.disk'));
    assert.deepEqual(
      left.map((name) => Number(name.slice('.disk.img.lease.'.length))).toSorted((a, b) => a - b),
      [0, 1, 2, 4, 8, 16, 20],
      'and many tidy all',
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('a lease that an earlier version signed in place is followed by one with a name of its own', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-lease-'));
  const image = join(directory, 'disk.img');
  const holder = (uid: string) => ({ vmi: 'shop/web', uid, pod: 'launcher' });
  try {
    const path = join(directory, '.disk.img.lease');
    writeFileSync(path, '');
    assert.equal(readLease(image), undefined, 'nobody has signed yet');
    const signed = { epoch: 5, holder: holder('a'), takenAt: 'then' };
    writeFileSync(path, `${JSON.stringify(signed)}\n`.padEnd(4096, ' '));
    assert.equal(takeLease(image, holder('b'), 'now', { after: 5 }).epoch, 6);
    assert.deepEqual([readLease(image)?.epoch, readLease(image)?.holder.uid], [6, 'b']);
    assert.throws(() => takeLease(image, holder('c'), 'now', { after: 5 }), /shop\/web/);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
