import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { type ConverterContext, convertVmiToDomain, domainFromXml, domainToXml } from '@podvisor/translate';
import { comparable, learned, liveDomain, plain } from './live-domain.ts';

const vmi = (memory: string, disks: readonly string[]): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'web', namespace: 'shop', uid: 'u' },
  spec: {
    domain: {
      memory: { guest: memory },
      cpu: { model: 'host-model' },
      devices: {
        disks: disks.map((name) => ({ name, disk: { bus: 'virtio' } })),
        interfaces: [{ name: 'default', masquerade: {} }],
      },
    },
    networks: [{ name: 'default', pod: {} }],
    volumes: disks.map((name) => ({ name, emptyDisk: { capacity: '1Gi' } })),
  },
});
const assumed: ConverterContext = {
  kvmAvailable: true,
  allowEmulation: false,
  interfaces: [{ name: 'default', tapDevice: 'tap0', mac: '02:00:00:00:00:01' }],
};

/** What libvirt makes of it when it runs: other units, other order, places, its own devices and choices. */
const running = `<domain type='qemu' id='1'><name>shop_web</name><memory unit='KiB'>131072</memory>
  <currentMemory unit='KiB'>131072</currentMemory><vcpu placement='static'>1</vcpu>
  <os><type arch='x86_64' machine='pc-q35-7.2'>hvm</type><smbios mode='sysinfo'/></os>
  <cpu mode='custom' match='exact'><model>Skylake</model></cpu>
  <devices><emulator>/usr/bin/qemu</emulator>
    <disk type='file' device='disk' model='virtio-non-transitional'>
      <driver name='qemu' type='qcow2' cache='none' error_policy='stop' discard='unmap'/>
      <source file='/var/run/libvirt/empty-disks/a.qcow2' index='1'/><target dev='vda' bus='virtio'/>
      <alias name='ua-a'/><address type='pci' domain='0x0000' bus='0x04' slot='0x00' function='0x0'/></disk>
    <controller type='sata' index='0'><alias name='ide'/></controller>
    <interface type='ethernet'><mac address='02:00:00:00:00:09'/><target dev='tap7' managed='no'/>
      <model type='virtio-non-transitional'/><alias name='ua-default'/><rom enabled='no'/></interface>
  </devices><seclabel type='none'/></domain>`;
const defined = running.replace(/<cpu.*<\/cpu>/s, "<cpu mode='host-model'/>");
const live = liveDomain({ xml: running, definedXml: defined });
const context = learned(assumed, live);

test('the host is learned from what runs', () => {
  assert.equal(context.kvmAvailable, false);
  assert.equal(context.volumes?.['a']?.directIo, true);
  assert.deepEqual(context.interfaces[0], { name: 'default', tapDevice: 'tap7', mac: '02:00:00:00:00:09' });
  assert.equal(live.cpu?.mode, 'host-model');
});

test('what libvirt adds or writes in its own way is no difference', () => {
  const rendering = convertVmiToDomain(vmi('128Mi', ['a']), context);
  const before = domainToXml(comparable(live, [rendering]));
  for (const line of [
    "  <memory unit='b'>134217728</memory>",
    "    <type arch='x86_64' machine='q35'>hvm</type>",
    "      <mac address='02:00:00:00:00:09'/>",
    "      <alias name='ua-a'/>",
  ])
    assert.ok(before.split('\n').includes(line), `${line} in ${before}`);
  for (const noise of ['emulator', 'Skylake', 'seclabel', 'sata', "<address type='pci'", 'currentMemory'])
    assert.doesNotMatch(before, new RegExp(noise));
  const disk = (xml: string): string => /<disk .*?<\/disk>/s.exec(xml)?.[0] ?? '';
  assert.equal(disk(before), disk(domainToXml(plain(rendering))));
});

test('a disk that was plugged in is seen, although no rendering has it', () => {
  const rendering = convertVmiToDomain(vmi('128Mi', []), context);
  assert.match(domainToXml(comparable(live, [rendering])), /<alias name='ua-a'\/>/);
  assert.deepEqual(domainFromXml(domainToXml(rendering)).devices?.disks, undefined);
});
