import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClaimPath, launcherPaths, leasedImageOf, pluggedVolumeOf } from './launcher-paths.ts';

test('what lies below a directory moves with it, also in the share directory', () => {
  const paths = launcherPaths({ shareDir: '/s', privateDir: '/p', ephemeralDir: '/e', libvirtRuntime: '/l' });
  assert.deepEqual(
    [paths.socket, paths.hotplugDisk('v', false), paths.containerDisk(1), paths.virtiofsSocket('v')],
    [
      '/s/sockets/launcher-sock',
      '/s/hotplug-disks/v.img',
      '/s/container-disks/disk_1.img',
      '/s/virtiofs-containers/v.sock',
    ],
  );
  assert.deepEqual(
    [paths.overlay('v'), paths.noCloudIso('ns', 'n'), paths.ignitionFile('ns', 'n')],
    ['/e/disk-data/v/disk.qcow2', '/e/cloud-init-data/ns/n/noCloud.iso', '/e/ignition-data/ns/n/data.ign'],
  );
  assert.deepEqual(
    [paths.claimImage('v'), paths.nvram, paths.emptyDisk('v')],
    ['/p/vmi-disks/v/disk.img', '/p/libvirt/qemu/nvram', '/l/empty-disks/v.qcow2'],
  );
});

test('a directory of its own stays where it was given', () => {
  assert.equal(launcherPaths({ shareDir: '/s', containerDisks: '/c' }).containerDisk(0), '/c/disk_0.img');
});

test('where an image is tells what it is, in any launcher', () => {
  for (const paths of [launcherPaths(), launcherPaths({ shareDir: '/s', privateDir: '/p' })]) {
    assert.equal(isClaimPath(paths.claimImage('v')), true);
    assert.equal(isClaimPath(paths.overlay('v')), false);
    assert.equal(pluggedVolumeOf(paths.hotplugDisk('v', false)), 'v');
    assert.equal(pluggedVolumeOf(paths.hotplugDisk('v', true)), 'v');
    assert.equal(pluggedVolumeOf(paths.claimImage('v')), undefined);
  }
});

test('a lease is beside the image in its claim, whether that was there from the start or was plugged', () => {
  const paths = launcherPaths({ shareDir: '/s' });
  assert.equal(leasedImageOf(paths.claimImage('v')), paths.claimImage('v'));
  assert.equal(leasedImageOf(paths.hotplugDisk('v', false)), '/s/hotplug-disks/.v.claim/disk.img');
  assert.equal(leasedImageOf(paths.hotplugDisk('v', true)), undefined);
  assert.equal(leasedImageOf(paths.overlay('v')), undefined);
});
