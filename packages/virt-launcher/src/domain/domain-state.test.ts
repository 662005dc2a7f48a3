import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainFromXml } from '@podvisor/translate';
import { domainFacts } from './domain-facts.ts';
import { buildDomainState, isActive, stateName, mergeInterfaces, stateReason } from './domain-state.ts';

const XML = `<domain type='qemu' id='1'><name>ns_vm</name><uuid>b9df5113-f58d-429a-ad18-97e8c36342c4</uuid>
  <memory unit='KiB'>131072</memory><currentMemory unit='KiB'>65536</currentMemory>
  <os><type arch='x86_64' machine='pc-q35-7.2'>hvm</type></os><features><acpi/></features>
  <cpu><topology sockets='2' cores='1' threads='1'/></cpu>
  <devices>
    <disk type='file' device='disk'><target dev='vda' bus='virtio'/><alias name='ua-root'/></disk>
    <disk type='file' device='cdrom'><target dev='sda' bus='sata'/><alias name='sata0-0-0'/></disk>
    <interface type='ethernet'><mac address='02:00:00:AA:BB:CC'/><alias name='ua-default'/></interface>
    <serial type='unix'><source mode='bind' path='/p/virt-serial0'/></serial>
    <graphics type='vnc'><listen type='socket' socket='/p/virt-vnc'/></graphics>
    <channel type='unix'><target type='virtio' name='org.qemu.guest_agent.0' state='connected'/></channel>
  </devices></domain>`;

test('reads what it needs out of the live XML', () => {
  assert.deepEqual(domainFacts(domainFromXml(XML)), {
    diskTargets: { root: 'vda' },
    trackedVolumes: [],
    pluggedVolumes: [],
    interfaces: [
      { name: 'default', mac: '02:00:00:aa:bb:cc', linkState: 'up', queueCount: 1, source: 'domain' },
    ],
    agentConnected: true,
    serialSocket: '/p/virt-serial0',
    vncSocket: '/p/virt-vnc',
    usbSockets: [],
    memoryBytes: { current: 67108864, max: 134217728, requested: 134217728 },
    cpu: { sockets: 2, cores: 1, threads: 1 },
    machineType: 'pc-q35-7.2',
    osArch: 'x86_64',
  });
});

test("libvirt's numbers become KubeVirt's words", () => {
  const table: readonly (readonly [number, number, string, string, boolean])[] = [
    [1, 1, 'Running', 'Unknown', true],
    [3, 1, 'Paused', 'User', true],
    [3, 2, 'Paused', 'Migration', true],
    [3, 5, 'Paused', 'PausedIOError', true],
    [3, 13, 'Paused', 'PostcopyFailed', true],
    [4, 1, 'ShuttingDown', 'User', true],
    [5, 1, 'Shutoff', 'Shutdown', false],
    [5, 2, 'Shutoff', 'Destroyed', false],
    [5, 3, 'Shutoff', 'Crashed', false],
    [5, 4, 'Shutoff', 'Migrated', false],
    [5, 8, 'Shutoff', 'Crashed', false],
    [6, 1, 'Crashed', 'Panicked', false],
    [99, 0, 'NoState', 'Unknown', false],
  ];
  for (const [state, reason, runState, why, active] of table) {
    assert.deepEqual([stateName({ state, reason }), stateReason({ state, reason })], [runState, why]);
    assert.equal(isActive(stateName({ state, reason })), active);
  }
});

test('a domain that is off has no process, no agent and no guest', () => {
  const seen = {
    name: 'ns_vm',
    uuid: 'b9df5113-f58d-429a-ad18-97e8c36342c4',
    vmiUid: 'u',
    facts: domainFacts(domainFromXml(XML)),
    guest: { version: '7.2', hostname: 'h', interfaces: [] },
    qemuPid: 7,
    exitDetail: 'boom',
  };
  const on = buildDomainState({ ...seen, libvirt: { state: 1, reason: 1 } });
  assert.deepEqual(
    [on.qemuPid, on.agentConnected, on.agentVersion, on.exitDetail],
    [7, true, '7.2', undefined],
  );
  const off = buildDomainState({ ...seen, libvirt: { state: 5, reason: 3 } });
  assert.deepEqual(
    [off.qemuPid, off.agentConnected, off.guestHostname, off.exitDetail],
    [undefined, false, undefined, 'boom'],
  );
});

test('interfaces of domain and guest meet by MAC', () => {
  const nic = { name: 'default', mac: '02:00:00:aa:bb:cc', source: 'domain' as const };
  const merged = mergeInterfaces(
    [nic],
    [
      { name: 'docker0', mac: '02:42:00:00:00:01', ipAddresses: ['172.17.0.1'] },
      { name: 'eth0', mac: nic.mac, ipAddresses: ['10.0.2.2'] },
    ],
  );
  assert.deepEqual(merged, [
    { ...nic, guestInterfaceName: 'eth0', ipAddresses: ['10.0.2.2'], source: 'guest-agent' },
    {
      mac: '02:42:00:00:00:01',
      guestInterfaceName: 'docker0',
      ipAddresses: ['172.17.0.1'],
      source: 'guest-agent',
    },
  ]);
});
