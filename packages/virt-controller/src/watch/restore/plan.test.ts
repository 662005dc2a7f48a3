import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineRestore, VirtualMachineSnapshotContent } from '@podvisor/api';
import {
  LAST_RESTORE,
  obsoleteDataVolumes,
  restoredClaim,
  restoredDataVolumes,
  restoredVm,
  volumeRestores,
} from './plan.ts';

const restore = (spec: Partial<VirtualMachineRestore['spec']> = {}): VirtualMachineRestore => ({
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineRestore',
  metadata: { name: 'r', namespace: 'n', uid: 'u' },
  spec: { target: { kind: 'VirtualMachine', name: 'web' }, virtualMachineSnapshotName: 's', ...spec },
});
const content: VirtualMachineSnapshotContent = {
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineSnapshotContent',
  spec: {
    source: {
      virtualMachine: {
        metadata: { name: 'web', labels: { a: 'b' } },
        spec: {
          runStrategy: 'Always',
          dataVolumeTemplates: [{ metadata: { name: 'web-root' }, spec: {} }],
          template: {
            spec: {
              domain: {
                firmware: { uuid: 'old' },
                devices: { interfaces: [{ name: 'nic', macAddress: '02:00:00:00:00:01' }] },
              },
              volumes: [{ name: 'root', dataVolume: { name: 'web-root' } }],
            },
          },
        },
      },
    },
    volumeBackups: [
      {
        volumeName: 'root',
        volumeSnapshotName: 'vs',
        persistentVolumeClaim: {
          metadata: {
            name: 'web-root',
            annotations: {
              'pv.kubernetes.io/bind-completed': 'yes',
              // The old claim waited for an upload and got it; the new one is filled by the storage.
              'cdi.kubevirt.io/storage.upload.target': '',
              'cdi.kubevirt.io/storage.pod.phase': 'Succeeded',
              'cdi.kubevirt.io/storage.contentType': 'kubevirt',
              keep: 'me',
            },
          },
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
            volumeName: 'pv',
          },
        },
      },
    ],
  },
};

test('restored claims have names by the policy, and nothing of the old claim’s life', () => {
  const names = (policy?: string) =>
    volumeRestores(restore({ volumeRestorePolicy: policy }), content).map((r) => r.persistentVolumeClaim);
  assert.deepEqual(
    [names(), names('InPlace'), names('PrefixTargetName')],
    [['restore-u-root'], ['web-root'], ['web-root']],
  );
  const [backup] = content.spec.volumeBackups ?? [];
  const [request] = volumeRestores(restore(), content);
  assert.ok(backup && request);
  const claim = restoredClaim(restore(), backup, request, {
    metadata: {},
    spec: { source: {} },
    status: { restoreSize: '2Gi' },
  });
  assert.deepEqual(Object.keys(claim.metadata.annotations ?? {}).toSorted(), [
    'cdi.kubevirt.io/storage.contentType',
    'keep',
    'restore.kubevirt.io/name',
  ]);
  assert.equal(claim.spec.resources?.requests?.['storage'], '2Gi');
  assert.equal(claim.spec.volumeName, undefined);
});

test('a VM restored under another name is another machine, stopped, on claims', () => {
  const request = restore({ target: { kind: 'VirtualMachine', name: 'copy' } });
  const vm = restoredVm(request, content, volumeRestores(request, content), undefined);
  assert.equal(vm.spec.runStrategy, 'Halted');
  assert.deepEqual(vm.spec.template.spec?.volumes, [
    { name: 'root', dataVolume: { name: 'restore-u-root' } },
  ]);
  assert.deepEqual(
    vm.spec.dataVolumeTemplates?.map(({ metadata }) => metadata?.name),
    ['restore-u-root'],
  );
  assert.equal(vm.spec.template.spec?.domain.firmware?.uuid, undefined);
  assert.equal(vm.spec.template.spec?.domain.devices.interfaces?.[0]?.macAddress, undefined);
  const same = restoredVm(restore(), content, volumeRestores(restore(), content), undefined);
  assert.equal(same.spec.template.spec?.domain.firmware?.uuid, 'old');
  assert.equal(same.metadata?.annotations?.[LAST_RESTORE], 'r-u');
});

test('DataVolumes of templates are made anew for the restored claims, filled; the old ones are obsolete', () => {
  const request = restore();
  const restores = volumeRestores(request, content);
  assert.equal(restores[0]?.dataVolumeName, 'restore-u-root');
  assert.deepEqual(
    restoredDataVolumes(request, content, restores).map(({ metadata }) => [
      metadata?.name,
      metadata?.annotations,
    ]),
    [['restore-u-root', { 'cdi.kubevirt.io/storage.prePopulated': 'restore-u-root' }]],
  );
  const old = content.spec.source.virtualMachine?.spec;
  assert.ok(old);
  const annotations = { 'podvisor.io/clone-allowed-from': 'pvc victim/disk' };
  const dataVolumeTemplates = old.dataVolumeTemplates?.map((template) => ({
    ...template,
    metadata: { ...template.metadata, annotations },
  }));
  const virtualMachine = { ...content.spec.source.virtualMachine, spec: { ...old, dataVolumeTemplates } };
  const forged = { ...content, spec: { ...content.spec, source: { virtualMachine } } };
  assert.deepEqual(
    restoredDataVolumes(request, forged, restores).map(({ metadata }) => metadata?.annotations),
    [{ 'cdi.kubevirt.io/storage.prePopulated': 'restore-u-root' }],
    'what a tenant notes as allowed is not',
  );
  const { spec } = restoredVm(request, content, restores, undefined);
  assert.deepEqual(obsoleteDataVolumes(old, spec), ['web-root']);
  const inPlace = restore({ volumeRestorePolicy: 'InPlace' });
  const same = restoredVm(inPlace, content, volumeRestores(inPlace, content), undefined).spec;
  assert.deepEqual(
    [obsoleteDataVolumes(old, same), same.template.spec?.volumes],
    [[], old.template.spec?.volumes],
  );
});
