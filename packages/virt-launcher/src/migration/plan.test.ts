import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { MIGRATE_FLAG } from '@podvisor/libvirt';
import { domainFromXml } from '@podvisor/translate';
import { planMigration } from './plan.ts';

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'vm', namespace: 'default' },
  spec: {
    domain: { devices: {} },
    volumes: [
      { name: 'root', containerDisk: { image: 'x' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'scratch', emptyDisk: { capacity: '1Gi' } },
      { name: 'seed', cloudInitNoCloud: {} },
    ],
  },
};

function disk(volume: string, target: string, more = '', cache = 'none', device = 'disk'): string {
  return `<disk type='file' device='${device}'><driver name='qemu' type='raw' cache='${cache}'/>
    <source file='/d/${volume}'/><target dev='${target}' bus='virtio'/><alias name='ua-${volume}'/>${more}</disk>`;
}

const domain = (dataCache = 'none') =>
  domainFromXml(`<domain type='qemu'><name>default_vm</name><devices>
    ${disk('root', 'vda', '', 'writeback')}${disk('data', 'vdb', '', dataCache)}${disk('scratch', 'vdc')}
    ${disk('seed', 'sda', '<readonly/>', 'none', 'cdrom')}</devices></domain>`);

const has = (flags: number, flag: keyof typeof MIGRATE_FLAG): boolean => (flags & MIGRATE_FLAG[flag]) !== 0;

test('disks that live in the Pod travel; claims and discs do not', () => {
  const plan = planMigration(vmi, domain(), {}, false);
  assert.deepEqual(plan.disks, ['vda', 'vdc']);
  assert.deepEqual(plan.volumes, ['root', 'scratch']);
  assert.deepEqual(plan.paths, ['/d/root', '/d/scratch']);
  assert.ok(has(plan.flags, 'nonSharedIncremental'));
  assert.ok(has(plan.flags, 'changeProtection') && has(plan.flags, 'live'));
});

test('a claim that is being replaced travels too', () => {
  const destinationPVCInfo = { claimName: 'other', volumeMode: 'Block' };
  const status = { migratedVolumes: [{ volumeName: 'data', destinationPVCInfo }] };
  const plan = planMigration({ ...vmi, status }, domain(), {}, false);
  assert.deepEqual(plan.disks, ['vda', 'vdb', 'vdc']);
  assert.deepEqual(plan.moved, [{ volume: 'data', path: '/d/data', toBlock: true }]);
});

test('a claim that is being replaced and cannot be copied stops the migration: the guest would find an empty disk', () => {
  for (const volumeName of ['seed', 'gone']) {
    const status = { migratedVolumes: [{ volumeName }] };
    assert.throws(() => planMigration({ ...vmi, status }, domain(), {}, false), /has no plain disk to copy/);
  }
});

test('a shared disk whose bytes may be in the memory of the node is left to libvirt’s own judgement', () => {
  assert.ok(has(planMigration(vmi, domain(), {}, false).flags, 'unsafe'));
  assert.ok(!has(planMigration(vmi, domain('writeback'), {}, false).flags, 'unsafe'));
  const override = { unsafeMigrationOverride: true };
  assert.ok(has(planMigration(vmi, domain('writeback'), override, false).flags, 'unsafe'));
});

test('settings become flags; the target is not asked to slow itself down', () => {
  const settings = { allowAutoConverge: true, allowPostCopy: true, bandwidthPerMigration: '10M' };
  const plan = planMigration(vmi, domain(), settings, true);
  assert.ok(has(plan.flags, 'autoConverge') && has(plan.flags, 'postCopy') && has(plan.flags, 'paused'));
  assert.ok(!has(plan.targetFlags, 'autoConverge') && has(plan.targetFlags, 'postCopy'));
  assert.equal(plan.bandwidthMiB, 10);
  assert.equal(planMigration(vmi, domain(), {}, false).bandwidthMiB, undefined);
});
