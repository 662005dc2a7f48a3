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

test('a runner whose epoch is old must not go on', async () => {
  const disk = image('vmi-disks/data/disk.img');
  const [first, second] = [leasesOf('first'), leasesOf('second')];
  first.take(domainWith(disk));
  await first.verify();
  second.take(domainWith(disk));
  await assert.rejects(
    first.verify(),
    /must not go on: shop\/second \(Pod pod-of-second\) has used its disk/,
  );
  await second.verify();
  first.take(domainWith(disk));
  assert.equal(readLease(disk)?.holder.uid, 'second', 'what was ours once is not taken back');
});

test('who was seen before the start is followed, and nobody else', async () => {
  const disk = image('vmi-disks/data/disk.img');
  const [slow, fast] = [leasesOf('slow'), leasesOf('fast')];
  await slow.claimDevices(domainWith(disk).devices?.disks ?? []); // and then it stands still for an hour
  fast.take(domainWith(disk));
  assert.throws(
    () => slow.take(domainWith(disk)),
    /must not start: shop\/fast \(Pod pod-of-fast\) has taken/,
  );
  assert.deepEqual([slow.epochOf(disk), fast.epochOf(disk)], [undefined, 1]);
  await fast.verify();
  slow.follow(disk, 1); // it has looked again
  slow.take(domainWith(disk));
  assert.equal(slow.epochOf(disk), 2);
});

test('the lease of a plugged image is taken in its claim, until the guest lets go of it', async () => {
  const disk = image('hotplug-disks/more.img');
  const leases = leasesOf('first');
  leases.take(domainWith(disk));
  assert.equal(leases.epochOf(disk), undefined, 'its directory is not shown');
  const inClaim = image('hotplug-disks/.more.claim/disk.img');
  leases.take(domainWith(disk));
  assert.equal(readLease(inClaim)?.epoch, 1);
  takeLease(inClaim, { vmi: 'shop/other', uid: 'other', pod: 'p' }, 'now');
  await assert.rejects(leases.verify(), /shop\/other/);
  leases.observed(['more']);
  await assert.rejects(leases.verify(), /shop\/other/);
  leases.observed([]);
  await leases.verify();
});

test('of two guests that plug one image at once, one has it', async () => {
  const disk = image('hotplug-disks/more.img');
  const inClaim = image('hotplug-disks/.more.claim/disk.img');
  const [slow, fast] = [leasesOf('slow'), leasesOf('fast')];
  for (const leases of [slow, fast]) await leases.claimDevices(domainWith(disk).devices?.disks ?? []);
  fast.take(domainWith(disk));
  assert.throws(() => slow.take(domainWith(disk)), /shop\/fast \(Pod pod-of-fast\) has taken/);
  assert.equal(readLease(inClaim)?.holder.uid, 'fast');
  await fast.verify();
});

test('shared, read-only and private disks have no lease', async () => {
  const leases = leasesOf('first');
  const disk = image('vmi-disks/data/disk.img');
  leases.take(domainWith(disk, { shareable: {} }));
  leases.take(domainWith(disk, { readonly: {} }));
  leases.take(domainWith(image('ephemeral/disk.qcow2')));
  assert.equal(readLease(disk), undefined);
});

test('a copy is taken before it is written, and what was left behind stays left', async () => {
  const [old, copy] = [image('vmi-disks/data/disk.img'), image('other/vmi-disks/data/disk.img')];
  const [source, target] = [leasesOf('guest'), leasesOf('guest')];
  source.take(domainWith(old));
  await target.takeForCopy(domainWith(copy).devices?.disks ?? []);
  assert.deepEqual([readLease(old)?.epoch, readLease(copy)?.epoch], [1, 1]);
  await source.verify(); // the copy failed: the guest goes on where it was
  source.giveUp([old]);
  await assert.rejects(source.verify(), /must not go on/);
  await target.verify();
});
