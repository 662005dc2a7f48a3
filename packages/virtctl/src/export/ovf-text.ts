/** The OVF of a machine: what VMware and VirtualBox read, and `virtctl import`. Pure. */
import type { ExportedMachine } from './machine-of-vm.ts';

export interface ExportedDisk {
  readonly file: string;
  readonly fileBytes: number;
  readonly capacityBytes: number;
}

const NAMESPACES =
  'xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf"';
const VMDK = 'http://www.vmware.com/interfaces/specifications/vmdk.html#streamOptimized';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Elements of an Item in the order of the alphabet, as the schema wants them. */
function item(fields: Readonly<Record<string, string | number>>): string {
  const inside = Object.entries(fields)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `<rasd:${name}>${escaped(String(value))}</rasd:${name}>`);
  return `      <Item>${inside.join('')}</Item>`;
}

export function ovfText(machine: ExportedMachine, disks: readonly ExportedDisk[]): string {
  const controller = 3;
  const items = [
    item({ ElementName: 'CPUs', InstanceID: 1, ResourceType: 3, VirtualQuantity: machine.cpus }),
    item({
      AllocationUnits: 'byte * 2^20',
      ElementName: 'memory',
      InstanceID: 2,
      ResourceType: 4,
      VirtualQuantity: machine.memoryMib,
    }),
    item({
      ElementName: 'SATA',
      InstanceID: controller,
      ResourceSubType: 'vmware.sata.ahci',
      ResourceType: 20,
      Address: 0,
    }),
    ...disks.map((disk, index) =>
      item({
        AddressOnParent: index,
        ElementName: disk.file,
        HostResource: `ovf:/disk/vmdisk${index + 1}`,
        InstanceID: 10 + index,
        Parent: controller,
        ResourceType: 17,
      }),
    ),
    ...machine.nics.map(({ model, mac, network }, index) =>
      item({
        ...(mac === undefined ? {} : { Address: mac }),
        AutomaticAllocation: 'true',
        Connection: network,
        ElementName: `network card ${index + 1}`,
        InstanceID: 100 + index,
        ResourceSubType: model,
        ResourceType: 10,
      }),
    ),
  ];
  const config = (key: string, value: string): string =>
    `      <vmw:Config ovf:required="false" vmw:key="${key}" vmw:value="${value}"/>`;
  const networks = [...new Set(machine.nics.map(({ network }) => network))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Envelope ${NAMESPACES}>`,
    '  <References>',
    ...disks.map(
      ({ file, fileBytes }, index) =>
        `    <File ovf:href="${escaped(file)}" ovf:id="file${index + 1}" ovf:size="${fileBytes}"/>`,
    ),
    '  </References>',
    '  <DiskSection><Info>Disks</Info>',
    ...disks.map(
      ({ capacityBytes }, index) =>
        `    <Disk ovf:capacity="${capacityBytes}" ovf:diskId="vmdisk${index + 1}" ovf:fileRef="file${index + 1}" ovf:format="${VMDK}"/>`,
    ),
    '  </DiskSection>',
    '  <NetworkSection><Info>Networks</Info>',
    ...networks.map((name) => `    <Network ovf:name="${escaped(name)}"/>`),
    '  </NetworkSection>',
    `  <VirtualSystem ovf:id="${escaped(machine.name)}"><Info>A virtual machine</Info><Name>${escaped(machine.name)}</Name>`,
    '    <OperatingSystemSection ovf:id="101"><Info>The guest</Info></OperatingSystemSection>',
    '    <VirtualHardwareSection><Info>Hardware</Info>',
    '      <System><vssd:ElementName>Hardware</vssd:ElementName><vssd:InstanceID>0</vssd:InstanceID><vssd:VirtualSystemType>vmx-13</vssd:VirtualSystemType></System>',
    ...items,
    config('firmware', machine.firmware),
    ...(machine.secureBoot ? [config('bootOptions.efiSecureBootEnabled', 'true')] : []),
    '    </VirtualHardwareSection>',
    '  </VirtualSystem>',
    '</Envelope>',
    '',
  ].join('\n');
}
