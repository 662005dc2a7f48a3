import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readLease, takeLease } from '@podvisor/storage';
import { DiskLeases } from './disk-leases.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pv-leases-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const silent = { info: () => undefined, warn: () => undefined } as never;
const leasesOf = (uid: string): DiskLeases =>
  new DiskLeases({
    holder: { vmi: `shop/${uid}`, uid, pod: `pod-of-${uid}` },
    clock: { now: () => 0 },
    log: silent,
  });
const domainWith = (file: string, more: object = {}): Parameters<DiskLeases['take']>[0] =>
  ({ devices: { disks: [{ device: 'disk', source: { file }, ...more }] } }) as never;
const image = (path: string): string => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), '');
  return join(root, path);
};

test('a runner whose epoch is old must not go on', () => {
  const disk = image('vmi-disks/data/disk.img');
  const [first, second] = [leasesOf('first'), leasesOf('second')];
  first.take(domainWith(disk));
  first.verify();
  second.take(domainWith(disk));
  assert.throws(() => first.verify(), /must not go on: shop\/second \(Pod pod-of-second\) has used its disk/);
  second.verify();
  first.take(domainWith(disk));
  assert.equal(readLease(disk)?.holder.uid, 'second', 'what was ours once is not taken back');
});

test('who was seen before the start is followed, and nobody else', () => {
  const disk = image('vmi-disks/data/disk.img');
  const [slow, fast] = [leasesOf('slow'), leasesOf('fast')];
  slow.claimDevices(domainWith(disk).devices?.disks ?? []); // and then it stands still for an hour
  fast.take(domainWith(disk));
  assert.throws(
    () => slow.take(domainWith(disk)),
    /must not start: shop\/fast \(Pod pod-of-fast\) has taken/,
  );
  assert.deepEqual([slow.epochOf(disk), fast.epochOf(disk)], [undefined, 1]);
  fast.verify();
  slow.follow(disk, 1); // it has looked again
  slow.take(domainWith(disk));
  assert.equal(slow.epochOf(disk), 2);
});

test('a plugged image is signed for in the file beside it, until the guest lets go of it', () => {
  const disk = image('hotplug-disks/more.img');
  const leases = leasesOf('first');
  leases.take(domainWith(disk));
  assert.equal(readLease(disk), undefined, 'nothing to sign in');
  image('hotplug-disks/.more.img.lease');
  leases.take(domainWith(disk));
  assert.equal(readLease(disk)?.epoch, 1);
  const other = { vmi: 'shop/other', uid: 'other', pod: 'p' };
  takeLease(disk, other, 'now', { inPlace: true });
  assert.throws(() => leases.verify(), /shop\/other/);
  leases.observed(['more']);
  assert.throws(() => leases.verify(), /shop\/other/);
  leases.observed([]);
  leases.verify();
});

test('shared, read-only and private disks have no lease', () => {
  const leases = leasesOf('first');
  const disk = image('vmi-disks/data/disk.img');
  leases.take(domainWith(disk, { shareable: {} }));
  leases.take(domainWith(disk, { readonly: {} }));
  leases.take(domainWith(image('ephemeral/disk.qcow2')));
  assert.equal(readLease(disk), undefined);
});

test('a copy is taken before it is written, and what was left behind stays left', () => {
  const [old, copy] = [image('vmi-disks/data/disk.img'), image('other/vmi-disks/data/disk.img')];
  const [source, target] = [leasesOf('guest'), leasesOf('guest')];
  source.take(domainWith(old));
  target.takeForCopy(domainWith(copy).devices?.disks ?? []);
  assert.deepEqual([readLease(old)?.epoch, readLease(copy)?.epoch], [1, 1]);
  source.verify(); // the copy failed: the guest goes on where it was
  source.giveUp([old]);
  assert.throws(() => source.verify(), /must not go on/);
  target.verify();
});
