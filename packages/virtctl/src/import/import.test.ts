import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crdFor, schemaProblems } from '@podvisor/api';
import { type DiskSource, kubernetesName, type SourceMachine } from './machine.ts';
import { machineFromOvf } from './ovf.ts';
import { planImport } from './plan.ts';
import { readMachine } from './read-machine.ts';
import { tarIndex } from './tar-index.ts';

const directory = mkdtempSync(join(tmpdir(), 'podvisor-import-'));
const reading = { allowPaths: false, os: 'other' } as const;
const planning = { namespace: 'default', virtio: false, networks: [], start: true };

interface OvfParts {
  readonly disk?: string;
  readonly nic?: string;
  readonly more?: string;
}

/** As VMware's tools write it. */
const ovf = ({
  disk = 'disk1.vmdk',
  nic = 'VmxNet3',
  more = '',
}: OvfParts = {}): string => `<?xml version="1.0"?>
<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1"
 xmlns:rasd="x" xmlns:vmw="y">
 <References><File ovf:href="${disk}" ovf:id="file1" ovf:size="100"/></References>
 <DiskSection><Disk ovf:capacity="2" ovf:capacityAllocationUnits="byte * 2^30" ovf:diskId="vmdisk1" ovf:fileRef="file1"/></DiskSection>
 <VirtualSystem ovf:id="vm"><Name>My Server_1</Name>
  <OperatingSystemSection ovf:id="96" vmw:osType="debian10_64Guest"/>
  <VirtualHardwareSection>
   <Item><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>3</rasd:ResourceType><rasd:VirtualQuantity>2</rasd:VirtualQuantity></Item>
   <Item><rasd:AllocationUnits>byte * 2^20</rasd:AllocationUnits><rasd:InstanceID>2</rasd:InstanceID><rasd:ResourceType>4</rasd:ResourceType><rasd:VirtualQuantity>2048</rasd:VirtualQuantity></Item>
   <Item><rasd:InstanceID>3</rasd:InstanceID><rasd:ResourceSubType>lsilogic</rasd:ResourceSubType><rasd:ResourceType>6</rasd:ResourceType></Item>
   <Item><rasd:ElementName>CD 1</rasd:ElementName><rasd:InstanceID>5</rasd:InstanceID><rasd:ResourceType>15</rasd:ResourceType></Item>
   <Item><rasd:HostResource>ovf:/disk/vmdisk1</rasd:HostResource><rasd:InstanceID>6</rasd:InstanceID><rasd:Parent>3</rasd:Parent><rasd:ResourceType>17</rasd:ResourceType></Item>
   <Item><rasd:Address>00:50:56:AA:bb:01</rasd:Address><rasd:Connection>VM Network</rasd:Connection><rasd:InstanceID>7</rasd:InstanceID><rasd:ResourceSubType>${nic}</rasd:ResourceSubType><rasd:ResourceType>10</rasd:ResourceType></Item>
   ${more}
   <vmw:Config ovf:required="false" vmw:key="firmware" vmw:value="efi"/>
  </VirtualHardwareSection>
 </VirtualSystem>
</Envelope>`;
const somewhere: DiskSource = { file: 'x', offset: 0, bytes: 1 };

test('an OVF: CPUs, memory, firmware, bus, address and what is left out', () => {
  const machine = machineFromOvf(ovf(), () => somewhere);
  assert.deepEqual(
    [machine.name, machine.cpus, machine.memoryMib, machine.firmware, machine.os],
    ['My Server_1', 2, 2048, 'efi', 'linux'],
  );
  assert.deepEqual(machine.disks, [
    { name: 'disk1.vmdk', bus: 'scsi', sizeBytes: 2 ** 31, source: somewhere },
  ]);
  assert.deepEqual(machine.nics, [{ model: 'vmxnet3', mac: '00:50:56:aa:bb:01', network: 'VM Network' }]);
  assert.deepEqual(machine.others, ['CD drive (CD 1)']);
});

test('the plan keeps address and firmware, SATA and e1000e, and says why', () => {
  const { vm, rows, uploads } = planImport(
    machineFromOvf(ovf(), () => somewhere),
    planning,
  );
  const schema = crdFor('VirtualMachine').spec.versions[0]?.schema.openAPIV3Schema ?? {};
  assert.deepEqual(schemaProblems(vm, schema), []);
  const text = JSON.stringify(vm);
  assert.equal(vm.metadata?.name, 'my-server-1');
  assert.match(text, /"macAddress":"00:50:56:aa:bb:01"/);
  assert.match(text, /"model":"e1000e"/);
  assert.match(text, /"disk":\{"bus":"sata"\},"bootOrder":1/);
  assert.match(text, /"bootloader":\{"efi":\{"secureBoot":false\}\}/);
  assert.match(text, /"storage":"2048Mi"/);
  const notes = rows.map(({ device, becomes, note }) => `${device}: ${becomes}: ${note}`).join('\n');
  assert.match(notes, /disk 1: my-server-1-disk1, sata: scsi is not there; virtio drivers are not known/);
  assert.match(notes, /network card 1: e1000e, .*: vmxnet3 is not there/);
  assert.match(notes, /CD drive \(CD 1\): nothing: cannot be kept/);
  assert.deepEqual(uploads, [{ volume: 'my-server-1-disk1', source: somewhere }]);
});

test('with drivers, and with networks for further cards', () => {
  const nic =
    '<Item><rasd:Connection>Back</rasd:Connection><rasd:InstanceID>8</rasd:InstanceID><rasd:ResourceType>10</rasd:ResourceType></Item>';
  const machine = machineFromOvf(ovf({ more: nic }), () => somewhere);
  const without = planImport(machine, planning);
  assert.equal(without.rows.at(-2)?.note, '--network 2=NAME for a network attachment');
  const text = JSON.stringify(
    planImport(machine, { ...planning, virtio: true, networks: ['2=blue/back'] }).vm,
  );
  assert.match(text, /"multus":\{"networkName":"blue\/back"\}/);
  assert.doesNotMatch(text, /sata|e1000/);
});

test('an OVA: disks are found inside it, and nothing is unpacked', () => {
  writeFileSync(join(directory, 'm.ovf'), ovf());
  writeFileSync(join(directory, 'disk1.vmdk'), 'the bytes of a disk');
  execFileSync('tar', ['-cf', 'm.ova', '--format=ustar', 'm.ovf', 'disk1.vmdk'], { cwd: directory });
  const file = join(directory, 'm.ova');
  const { source } = readMachine(file, reading).disks[0] ?? {};
  assert.ok(source !== undefined);
  assert.equal(source.file, file);
  const bytes = readFileSync(file).subarray(source.offset, source.offset + source.bytes);
  assert.equal(bytes.toString(), 'the bytes of a disk');
  assert.equal(readMachine(join(directory, 'm.ovf'), reading).disks.length, 1);
});

for (const disk of ['../../etc/passwd', '/etc/passwd', '.hidden', 'sub/disk.vmdk', ''])
  test(`an OVF that names "${disk}" opens nothing`, () => {
    const file = join(directory, 'evil.ovf');
    writeFileSync(file, ovf({ disk }));
    assert.throws(() => readMachine(file, reading), /only files that lie beside it are opened/);
  });

test('a link beside the description is not followed', () => {
  symlinkSync('/etc/passwd', join(directory, 'link.vmdk'));
  writeFileSync(join(directory, 'link.ovf'), ovf({ disk: 'link.vmdk' }));
  assert.throws(() => readMachine(join(directory, 'link.ovf'), reading), /link\.vmdk cannot be opened/);
});

const domain = (
  disk: string,
): string => `<domain type="kvm"><name>db</name><uuid>5c1b8d5a-0d43-4f5e-9c62-0f6b3a1a2b3c</uuid>
<memory unit="KiB">2097152</memory><vcpu>4</vcpu><os firmware="efi"><type arch="x86_64">hvm</type><loader secure="yes"/></os>
<devices><disk type="file" device="disk"><driver name="qemu" type="qcow2"/><source file="${disk}"/><target dev="vda" bus="virtio"/></disk>
<disk type="file" device="cdrom"><target dev="sda" bus="sata"/></disk>
<interface type="network"><mac address="52:54:00:AA:00:01"/><source network="default"/><model type="virtio"/></interface>
<hostdev mode="subsystem" type="pci"/><tpm model="tpm-crb"/></devices></domain>`;

test('a libvirt domain: virtio stays, the rest is said', () => {
  const qcow2 = Buffer.alloc(512);
  qcow2.write('QFI\u00fb', 'latin1');
  qcow2.writeBigUInt64BE(3n * 2n ** 30n, 24);
  writeFileSync(join(directory, 'db.qcow2'), qcow2);
  writeFileSync(join(directory, 'db.xml'), domain('/var/lib/libvirt/images/db.qcow2'));
  const machine = readMachine(join(directory, 'db.xml'), reading);
  assert.equal(machine.disks[0]?.source.file, join(directory, 'db.qcow2'));
  const { vm, rows } = planImport(machine, planning);
  const text = JSON.stringify(vm);
  assert.match(text, /"uuid":"5c1b8d5a/);
  assert.match(text, /"disk":\{"bus":"virtio"\}/);
  assert.match(text, /"model":"virtio","macAddress":"52:54:00:aa:00:01"/);
  assert.match(text, /"smm":\{"enabled":true\}/);
  assert.match(text, /"storage":"3072Mi"/);
  assert.deepEqual(
    rows.slice(-2).map(({ device }) => device),
    ['CD drive', 'hostdev'],
  );
});

test('paths of a domain are opened only when they may be', () => {
  writeFileSync(join(directory, 'paths.xml'), domain('/etc/hostname'));
  assert.throws(() => readMachine(join(directory, 'paths.xml'), reading), /hostname cannot be opened/);
  const machine = readMachine(join(directory, 'paths.xml'), { ...reading, allowPaths: true });
  assert.equal(machine.disks[0]?.source.file, '/etc/hostname');
});

test('a bare disk; a VHDX must be told its size; a difference is refused', () => {
  const file = (name: string, content: Buffer | string): string => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };
  assert.equal(readMachine(file('My Disk.raw', 'x'.repeat(4096)), reading).disks[0]?.sizeBytes, 4096);
  const vhdx = file('win.vhdx', 'vhdxfile'.padEnd(4096));
  assert.throws(() => readMachine(vhdx, reading), /--size is needed: a vhdx/);
  assert.equal(readMachine(vhdx, { ...reading, sizeBytes: 5 }).disks[0]?.sizeBytes, 5);
  const overlay = Buffer.alloc(512);
  overlay.write('QFI\u00fb', 'latin1');
  overlay.writeBigUInt64BE(4096n, 8);
  assert.throws(
    () => readMachine(file('overlay.qcow2', overlay), reading),
    /only the changes over another image/,
  );
  assert.throws(
    () => readMachine(file('d.vmdk', '# Disk DescriptorFile\n'), reading),
    /only describes the disk/,
  );
});

test('archives that lie are refused in time', () => {
  const whole = readFileSync(join(directory, 'm.ova'));
  const at = (bytes: Buffer) => (offset: number, length: number) => bytes.subarray(offset, offset + length);
  for (let length = 0; length < whole.length; length += 509) {
    const cut = whole.subarray(0, length);
    try {
      tarIndex(at(cut), cut.length);
    } catch (error) {
      assert.match(String(error), /ImportError/);
    }
  }
  const endless = (): Buffer => whole.subarray(0, 512);
  assert.throws(() => tarIndex(endless, Number.MAX_SAFE_INTEGER), /more than 1000 members/);
  assert.throws(() => tarIndex(() => Buffer.alloc(512, 1), 4096), /no tar archive/);
});

test('names', () => {
  for (const [from, to] of [
    ['My Server_1', 'my-server-1'],
    ['2008 R2', 'r2'],
    ['___', 'imported'],
    ['x'.repeat(80), 'x'.repeat(50)],
  ] as const)
    assert.equal(kubernetesName(from), to);
});

test('a machine without a network card has none', () => {
  const machine: SourceMachine = { ...machineFromOvf(ovf(), () => somewhere), nics: [] };
  assert.match(JSON.stringify(planImport(machine, planning).vm), /"autoattachPodInterface":false/);
});

test('a file that is no disk is not made one', () => {
  const text = join(directory, 'notes.txt');
  writeFileSync(text, 'not a disk');
  assert.throws(() => readMachine(text, reading), /notes\.txt is no disk image: it is no qcow2/);
});
