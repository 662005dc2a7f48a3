import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOCAL_PROVISIONER, type StorageClass } from '@podvisor/api';
import { dataSourceStatus, planProfile } from './storage-profiles.ts';

const local: StorageClass = { metadata: { name: 'local' }, provisioner: LOCAL_PROVISIONER };

test('a class without a profile gets one; one that says so already is left alone', () => {
  const first = planProfile({ name: 'local', storageClass: local, profile: undefined });
  assert.ok(first.isNew);
  assert.equal(first.status?.claimPropertySets?.[0]?.accessModes?.[0], 'ReadWriteMany');
  const profile = { metadata: { name: 'local' }, spec: {}, status: first.status };
  const again = planProfile({ name: 'local', storageClass: local, profile });
  assert.deepEqual(again, { isNew: false, status: undefined });
});

test('what the administrator set comes first', () => {
  const claimPropertySets = [{ accessModes: ['ReadWriteOnce'], volumeMode: 'Block' }] as const;
  const profile = { metadata: { name: 'local' }, spec: { claimPropertySets } };
  const { status } = planProfile({ name: 'local', storageClass: local, profile });
  assert.deepEqual(status?.claimPropertySets, claimPropertySets);
});

test('a DataSource is ready when what it names is there', () => {
  const source = {
    metadata: { namespace: 'ns', name: 'd' },
    spec: { source: { pvc: { name: 'c', namespace: '' } } },
  };
  const ready = (isThere: boolean): string | undefined =>
    dataSourceStatus(
      source,
      (_kind, namespace, name) => isThere && `${namespace}/${name}` === 'ns/c',
      0,
    )?.conditions?.find(({ type }) => type === 'Ready')?.status;
  assert.deepEqual([ready(true), ready(false)], ['True', 'False']);
});
