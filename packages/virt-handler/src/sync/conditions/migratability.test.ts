import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance, VMISpec, VMIStatus } from '@podvisor/api';
import { migratability } from './migratability.ts';

function vmiWith(spec: Partial<VMISpec>, status: VMIStatus = {}, annotations = {}): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'default', annotations },
    spec: { domain: { devices: {} }, ...spec },
    status,
  };
}

const bridged = { networks: [{ name: 'n', pod: {} }] };
const nic = { interfaces: [{ name: 'n', bridge: {} }] };
const ALLOW = { 'kubevirt.io/allow-pod-bridge-network-live-migration': '' };

function claimed(accessModes: readonly string[], hotpluggable = false): VirtualMachineInstance {
  return vmiWith(
    {
      domain: { devices: { disks: [{ name: 'd' }] } },
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c', hotpluggable } }],
    },
    { volumeStatus: [{ name: 'd', target: 'vda', persistentVolumeClaimInfo: { accessModes } }] },
  );
}

const table: readonly (readonly [string, VirtualMachineInstance, string | undefined])[] = [
  ['nothing special', vmiWith({}), undefined],
  ['bridge', vmiWith({ ...bridged, domain: { devices: nic } }), 'InterfaceNotLiveMigratable'],
  ['bridge, allowed', vmiWith({ ...bridged, domain: { devices: nic } }, {}, ALLOW), undefined],
  [
    'host device',
    vmiWith({ domain: { devices: { hostDevices: [{ name: 'h', deviceName: 'x/y' }] } } }),
    'HostDeviceNotLiveMigratable',
  ],
  ['SEV', vmiWith({ domain: { devices: {}, launchSecurity: { sev: {} } } }), 'SEVNotLiveMigratable'],
  ['TDX', vmiWith({ domain: { devices: {}, launchSecurity: { tdx: {} } } }), 'TDXNotLiveMigratable'],
  [
    'TSC not known',
    vmiWith({ domain: { devices: {}, features: { hyperv: { reenlightenment: { enabled: true } } } } }),
    'NoTSCFrequencyNotLiveMigratable',
  ],
  [
    'hyperv passthrough',
    vmiWith({ domain: { devices: {}, features: { hypervPassthrough: { enabled: true } } } }),
    'HypervPassthroughNotLiveMigratable',
  ],
  ['shared claim', claimed(['ReadWriteMany']), undefined],
  ['local claim', claimed(['ReadWriteOnce']), 'DisksNotLiveMigratable'],
  ['plugged claim', claimed(['ReadWriteMany'], true), undefined],
  ['plugged claim of one node', claimed(['ReadWriteOnce'], true), 'DisksNotLiveMigratable'],
  [
    'reservation',
    vmiWith({ domain: { devices: { disks: [{ name: 'd', lun: { reservation: true } }] } } }),
    'PersistentReservationNotLiveMigratable',
  ],
];

for (const [name, vmi, reason] of table) {
  test(`migratable: ${name}`, () => {
    const { live } = migratability(vmi);
    assert.deepEqual([live.status, live.reason], [reason === undefined ? 'True' : 'False', reason]);
  });
}

test('a guest with the CPU of a host that libvirt has no name for stays there', () => {
  const vmi = (model: string) => vmiWith({ domain: { devices: {}, cpu: { model } } });
  assert.equal(migratability(vmi('host-model'), true).live.reason, 'CPUModeLiveMigratable');
  assert.equal(migratability(vmi('host-model')).live.status, 'True');
  for (const model of ['host-passthrough', 'qemu64'])
    assert.equal(migratability(vmi(model), true).live.status, 'True');
});

test('the message names every reason, the reason is the first', () => {
  const vmi = claimed(['ReadWriteOnce']);
  const { live, storage } = migratability({
    ...vmi,
    spec: {
      ...vmi.spec,
      ...bridged,
      domain: {
        ...vmi.spec.domain,
        devices: { ...vmi.spec.domain.devices, ...nic, gpus: [{ name: 'g', deviceName: 'x/y' }] },
      },
    },
  });
  assert.equal(live.reason, 'InterfaceNotLiveMigratable');
  assert.match(live.message ?? '', /masquerade.*; VMI uses a PCI host devices; .*PVC c is not shared/);
  assert.equal(storage.reason, 'NotMigratable');
  assert.match(storage.message ?? '', /^InterfaceNotLiveMigratable: .*, HostDeviceNotLiveMigratable: [^,]*$/);
});

test('a claim that only one node can use can be moved by a copy: the message says how, and then it goes along', () => {
  const vmi = claimed(['ReadWriteOnce']);
  const before = migratability(vmi);
  assert.match(before.live.message ?? '', /PVC c is not shared.*updateVolumesStrategy: Migration/);
  assert.deepEqual([before.storage.status, before.method], ['True', 'LiveMigration']);
  const moving = { ...vmi, status: { ...vmi.status, migratedVolumes: [{ volumeName: 'd' }] } };
  const after = migratability(moving);
  assert.deepEqual([after.live.status, after.method], ['True', 'BlockMigration']);
});

test('what is only in the Pod is copied along', () => {
  const spec = { domain: { devices: { disks: [{ name: 'd' }] } } };
  const local = vmiWith({ ...spec, volumes: [{ name: 'd', emptyDisk: { capacity: '1Gi' } }] });
  assert.deepEqual(
    [migratability(local).live.status, migratability(local).method],
    ['True', 'BlockMigration'],
  );
  assert.equal(migratability(claimed(['ReadWriteMany'])).method, 'LiveMigration');
});
