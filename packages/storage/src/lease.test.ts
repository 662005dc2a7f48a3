import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasLeaseFile, readLease } from './lease.ts';
import { takeLease } from './take-lease.ts';

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
    rmSync(join(directory, '.disk.img.lease.2'));
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
    assert.deepEqual(readdirSync(directory), ['.disk.img.lease', '.disk.img.lease.13']);
    // One of them that runs beside newer ones (the other node is not updated yet) signs in the copy.
    writeFileSync(join(directory, '.disk.img.lease'), JSON.stringify({ ...old, epoch: 14 }));
    assert.equal(readLease(image)?.epoch, 14);
    assert.equal(takeLease(image, holder, 'later', { after: 14 }).epoch, 15);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('a lease that is a mount of its own is written where it is', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-lease-'));
  const image = join(directory, 'disk.img');
  const holder = (uid: string) => ({ vmi: 'shop/web', uid, pod: 'launcher'.repeat(20) });
  try {
    assert.equal(hasLeaseFile(image), false);
    assert.throws(() => takeLease(image, holder('a'), 'now', { inPlace: true }), { code: 'ENOENT' });
    const path = join(directory, '.disk.img.lease');
    writeFileSync(path, '');
    const { ino } = statSync(path);
    assert.deepEqual([hasLeaseFile(image), readLease(image)], [true, undefined]);
    assert.equal(takeLease(image, holder('a'), 'now', { inPlace: true }).epoch, 1);
    assert.equal(takeLease(image, { ...holder('b'), pod: 'p' }, 'then', { inPlace: true }).epoch, 2);
    assert.deepEqual([readLease(image)?.holder.uid, statSync(path).ino], ['b', ino]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
