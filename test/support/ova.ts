/** Machines of other systems, made with the tools at hand: an OVA with a stream-optimised VMDK, as VMware exports it. */
import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface OvaFacts {
  readonly name: string;
  readonly mac: string;
  readonly memoryMib: number;
}

/** Packs the qcow2 into `DIRECTORY/NAME.ova` and gives its path. */
export function makeOva(directory: string, qcow2: string, { name, mac, memoryMib }: OvaFacts): string {
  const disk = `${name}-disk1.vmdk`;
  makeVmdk(qcow2, join(directory, disk), 'streamOptimized');
  const info = execFileSync('qemu-img', ['info', '--output=json', '-f', 'qcow2', qcow2], {
    encoding: 'utf8',
  });
  const { 'virtual-size': capacity } = JSON.parse(info) as { 'virtual-size': number };
  const item = (id: number, type: number, more: string): string =>
    `<Item><rasd:InstanceID>${id}</rasd:InstanceID>${more}<rasd:ResourceType>${type}</rasd:ResourceType></Item>`;
  const quantity = (count: number): string => `<rasd:VirtualQuantity>${count}</rasd:VirtualQuantity>`;
  writeFileSync(
    join(directory, `${name}.ovf`),
    `<?xml version="1.0" encoding="UTF-8"?>
<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData">
<References><File ovf:href="${disk}" ovf:id="file1" ovf:size="${statSync(join(directory, disk)).size}"/></References>
<DiskSection><Disk ovf:capacity="${capacity}" ovf:diskId="vmdisk1" ovf:fileRef="file1" ovf:format="http://www.vmware.com/interfaces/specifications/vmdk.html#streamOptimized"/></DiskSection>
<VirtualSystem ovf:id="${name}"><Name>${name}</Name><OperatingSystemSection ovf:id="96"><Description>Debian 12 (64-bit)</Description></OperatingSystemSection>
<VirtualHardwareSection>${item(1, 3, quantity(1))}${item(2, 4, `<rasd:AllocationUnits>byte * 2^20</rasd:AllocationUnits>${quantity(memoryMib)}`)}${item(3, 6, '<rasd:ResourceSubType>lsilogic</rasd:ResourceSubType>')}${item(4, 17, '<rasd:HostResource>ovf:/disk/vmdisk1</rasd:HostResource><rasd:Parent>3</rasd:Parent>')}${item(5, 10, `<rasd:Address>${mac}</rasd:Address><rasd:ResourceSubType>VmxNet3</rasd:ResourceSubType>`)}</VirtualHardwareSection></VirtualSystem></Envelope>`,
  );
  const archive = join(directory, `${name}.ova`);
  execFileSync('tar', ['-cf', archive, '--format=ustar', `${name}.ovf`, disk], { cwd: directory });
  return archive;
}

export function makeVmdk(qcow2: string, target: string, subformat: string): string {
  const options = ['-O', 'vmdk', '-o', `subformat=${subformat}`];
  execFileSync('qemu-img', ['convert', '-f', 'qcow2', ...options, qcow2, target]);
  return target;
}
