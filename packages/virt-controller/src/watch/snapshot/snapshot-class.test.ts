import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim, StorageProfile, VolumeSnapshotClass } from '@podvisor/api';
import { snapshotClassOf } from './snapshot-class.ts';

const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default' },
  spec: { storageClassName: 'fast' },
};
const classes = [{ metadata: { name: 'fast' }, provisioner: 'driver' }];
const taker = (name: string, driver = 'driver', isDefault = false): VolumeSnapshotClass => ({
  metadata: {
    name,
    annotations: isDefault ? { 'snapshot.storage.kubernetes.io/is-default-class': 'true' } : {},
  },
  driver,
  deletionPolicy: 'Delete',
});
const profile = (snapshotClass: string): StorageProfile => ({ status: { snapshotClass } });

for (const [what, takers, named, expected] of [
  ['none of the driver', [taker('other', 'x')], undefined, undefined],
  ['the only one of the driver', [taker('a'), taker('other', 'x')], undefined, 'a'],
  ['several, and one is the default', [taker('a'), taker('b', 'driver', true)], undefined, 'b'],
  ['several, and none is the default', [taker('a'), taker('b')], undefined, undefined],
  ['the profile names one of several', [taker('a'), taker('b')], 'b', 'b'],
  ['the profile comes before the default', [taker('a'), taker('b', 'driver', true)], 'a', 'a'],
  ['the profile names one that is not there', [taker('a')], 'gone', undefined],
  ['the profile names nothing', [taker('a')], '', 'a'],
] as const)
  test(`snapshot class: ${what}`, () =>
    assert.equal(
      snapshotClassOf(claim, classes, takers, named === undefined ? undefined : profile(named)),
      expected,
    ));
