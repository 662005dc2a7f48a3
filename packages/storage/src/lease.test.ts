import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLease, takeLease } from './lease.ts';

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
