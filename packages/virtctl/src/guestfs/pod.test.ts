import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, listOf } from '../plain.ts';
import { type GuestfsFlags, guestfsPod, identityOf, imageOf, isClaimInUse } from './pod.ts';

const flags: GuestfsFlags = { pullPolicy: 'Always', kvm: true, root: false };

test("the image is the installation's own, by digest before tag", () => {
  assert.equal(imageOf({ registry: 'r', tag: 'v1' }), 'r/libguestfs-tools:v1');
  assert.equal(imageOf({ registry: 'r', tag: 'v1', digest: 'sha256:x' }), 'r/libguestfs-tools@sha256:x');
  assert.equal(imageOf({ tag: 'v1', imagePrefix: 'my-' }), 'my-libguestfs-tools:v1');
  assert.equal(imageOf({ gsImage: 'other/image:1', tag: 'v1' }), 'other/image:1');
  assert.throws(() => imageOf({ registry: 'r' }), /Neither the digest nor the tag/);
});

test('a claim with files is a directory of the Pod, a block device is a disk of it', () => {
  const container = (isBlock: boolean): unknown =>
    listOf(at(guestfsPod('c', 'i', isBlock, flags), 'spec', 'containers'))[0];
  assert.equal(at(container(false), 'workingDir'), '/disk');
  assert.equal(at(container(false), 'volumeDevices'), undefined);
  assert.deepEqual(at(container(true), 'volumeDevices'), [{ name: 'volume', devicePath: '/dev/vda' }]);
});

test('the Pod goes where the VM may go', () => {
  const vm = { spec: { template: { metadata: { labels: { a: 'b' } }, spec: { nodeSelector: { n: '1' } } } } };
  const pod = guestfsPod('c', 'i', false, flags, vm);
  assert.deepEqual(at(pod, 'metadata', 'labels'), { a: 'b' });
  assert.deepEqual(at(pod, 'spec', 'nodeSelector'), { n: '1' });
});

test('users and groups exclude each other as the flags say', () => {
  assert.deepEqual(identityOf({ ...flags, root: true }), { runAsUser: 0, runAsGroup: 0, fsGroup: 0 });
  assert.deepEqual(identityOf({ ...flags, uid: '107', gid: '108', fsGroup: '109' }), {
    runAsUser: 107,
    runAsGroup: 108,
    fsGroup: 109,
  });
  assert.throws(() => identityOf({ ...flags, gid: '1' }), /gid requires the uid/);
  assert.throws(() => identityOf({ ...flags, root: true, uid: '1' }), /cannot set uid if root/);
  assert.throws(() => identityOf({ ...flags, root: true, fsGroup: '1' }), /cannot set fsGroup/);
  assert.throws(() => identityOf({ ...flags, uid: 'me' }), /invalid syntax/);
});

test('a claim that a Pod has is in use', () => {
  const pod = { spec: { volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] } };
  assert.equal(isClaimInUse([pod], 'c'), true);
  assert.equal(isClaimInUse([pod, {}], 'd'), false);
});
