import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasLeaseFile, readLease, takeLease } from './lease.ts';

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
    writeFileSync(join(directory, 'secret'), '{"epoch":7,"holder":{"uid":"x"},"takenAt":""}');
    symlinkSync('secret', join(directory, '.disk.img.lease'));
    assert.equal(readLease(image), undefined);
    assert.equal(takeLease(image, holder('c'), 'later').epoch, 1);
    writeFileSync(join(directory, '.disk.img.lease'), '{"epoch":');
    assert.equal(readLease(image), undefined);
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
