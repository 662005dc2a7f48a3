/** The launcher's files are made by `storage` and named by `translate`: both must mean the same places. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskPaths } from '@podvisor/storage';
import { defaultPaths } from '@podvisor/translate';

test('storage and translate agree on the paths of disks', () => {
  const paths = diskPaths();
  assert.equal(paths.overlay('v'), `${defaultPaths.ephemeralDisks}/v/disk.qcow2`);
  assert.equal(paths.noCloudIso('ns', 'n'), `${defaultPaths.cloudInit}/ns/n/noCloud.iso`);
  assert.equal(paths.configDriveIso('ns', 'n'), `${defaultPaths.cloudInit}/ns/n/configdrive.iso`);
  assert.equal(paths.emptyDisk('v'), `${defaultPaths.emptyDisks}/v.qcow2`);
  assert.equal(paths.containerDisk(2), `${defaultPaths.containerDisks}/disk_2.img`);
  assert.equal(paths.claimImage('v'), `${defaultPaths.privateDir}/vmi-disks/v/disk.img`);
});
