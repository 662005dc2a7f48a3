import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { domainFromXml } from '@podvisor/translate';
import { deviceMetadata, hasDeviceTags } from './device-tags.ts';

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'web' },
  spec: {
    domain: {
      devices: {
        interfaces: [
          { name: 'default', masquerade: {}, tag: 'uplink' },
          { name: 'plain', bridge: {} },
        ],
        disks: [
          { name: 'root', disk: { bus: 'virtio' }, serial: 'R1', tag: 'system' },
          { name: 'data', disk: { bus: 'scsi' }, tag: 'data' },
          { name: 'seed', cdrom: { bus: 'sata' } },
        ],
      },
    },
    volumes: [{ name: 'seed', cloudInitConfigDrive: { userData: 'x' } }],
  },
};
const defined = domainFromXml(`<domain><devices>
  <disk><target dev='vda' bus='virtio'/><serial>R1</serial><alias name='ua-root'/>
    <address type='pci' domain='0x0000' bus='0x04' slot='0x00' function='0x0'/></disk>
  <disk><target dev='sda' bus='scsi'/><alias name='ua-data'/>
    <address type='drive' controller='0' bus='0' target='0' unit='3'/></disk>
  <interface><mac address='02:00:00:00:00:01'/><alias name='ua-default'/>
    <address type='pci' domain='0x0000' bus='0x01' slot='0x00' function='0x0'/></interface>
</devices></domain>`);

test('tagged devices are told by their place; others are not told', () => {
  assert.equal(hasDeviceTags(vmi), true);
  assert.deepEqual(deviceMetadata(vmi, defined), [
    { type: 'nic', bus: 'pci', address: '0000:01:00.0', mac: '02:00:00:00:00:01', tags: ['uplink'] },
    { type: 'disk', bus: 'pci', address: '0000:04:00.0', serial: 'R1', tags: ['system'] },
    { type: 'disk', bus: 'drive', address: '0:0:0:3', tags: ['data'] },
  ]);
});

test('NoCloud has no room for tags', () => {
  const volumes = [{ name: 'seed', cloudInitNoCloud: { userData: 'x' } }];
  assert.equal(hasDeviceTags({ ...vmi, spec: { ...vmi.spec, volumes } }), false);
});
