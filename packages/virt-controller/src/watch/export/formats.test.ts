import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim, VirtualMachineExport } from '@podvisor/api';
import { formatsOf } from './formats.ts';
import { manifests } from './plan.ts';

const exportOf = (kind: string): VirtualMachineExport => ({
  apiVersion: 'export.kubevirt.io/v1',
  kind: 'VirtualMachineExport',
  metadata: { name: 'x', namespace: 'default' },
  spec: { source: { apiGroup: '', kind, name: 'x' } },
});
const claim = (
  metadata: PersistentVolumeClaim['metadata'] = {},
  volumeMode: 'Block' | 'Filesystem' = 'Filesystem',
): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c', ...metadata },
  spec: { volumeMode },
});
const notes = (key: string, value: string) => ({ annotations: { [key]: value } });
const contentType = (value: string) => notes('cdi.kubevirt.io/storage.contentType', value);
const ownedBy = (kind: string) => ({
  ownerReferences: [{ apiVersion: 'cdi.kubevirt.io/v1beta1', kind, name: 'd', uid: 'u', controller: true }],
});
const disk = ['raw', 'gzip'];
const files = ['dir', 'tar.gz'];

test('a claim offers the formats that its content has', () => {
  const rows: readonly [string, PersistentVolumeClaim, string, readonly string[]][] = [
    ['block device', claim({}, 'Block'), 'PersistentVolumeClaim', disk],
    ['disk of CDI', claim(contentType('kubevirt')), 'PersistentVolumeClaim', disk],
    ['disk of CDI, by default', claim(contentType('')), 'PersistentVolumeClaim', disk],
    ['archive of CDI', claim(contentType('archive')), 'VirtualMachine', files],
    ['claim of a DataVolume', claim(ownedBy('DataVolume')), 'PersistentVolumeClaim', disk],
    ['claim of something else', claim(ownedBy('StatefulSet')), 'PersistentVolumeClaim', files],
    ['claim by hand', claim(), 'PersistentVolumeClaim', files],
    ['disk of a VM', claim(), 'VirtualMachine', disk],
    ['disk of a snapshot', claim(), 'VirtualMachineSnapshot', disk],
    ['memory dump', claim(notes('kubevirt.io/memory-dump', 'f')), 'VirtualMachine', files],
    ['memory dump by itself', claim(notes('kubevirt.io/memory-dump', 'f')), 'PersistentVolumeClaim', files],
  ];
  for (const [what, of, kind, formats] of rows)
    assert.deepEqual(
      formatsOf(exportOf(kind), of).map(({ format }) => format),
      formats,
      what,
    );
});

test('a manifest reads files from their archive', () => {
  const dump = claim(notes('kubevirt.io/memory-dump', 'f'));
  const all =
    manifests(exportOf('VirtualMachine'), undefined, [dump], 'CERT')['/internal/manifests/all'] ?? '';
  assert.match(all, /"contentType": "archive"/);
  assert.match(all, /volumes\/c\/disk\.tar\.gz"/);
});
