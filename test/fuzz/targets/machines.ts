/** Descriptions of machines from other systems: whatever they say, the answer is a plan or an ImportError. */
import { diskHead } from '../../../packages/virtctl/src/import/disk-head.ts';
import { machineFromLibvirt } from '../../../packages/virtctl/src/import/libvirt-xml.ts';
import { ImportError, type SourceMachine } from '../../../packages/virtctl/src/import/machine.ts';
import { machineFromOvf } from '../../../packages/virtctl/src/import/ovf.ts';
import { planImport } from '../../../packages/virtctl/src/import/plan.ts';
import { tarIndex } from '../../../packages/virtctl/src/import/tar-index.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';

const source = { file: 'x', offset: 0, bytes: 1 };
const planning = { namespace: 'default', virtio: false, networks: [], start: true };

const item = (type: number, more: string): string =>
  `<Item><rasd:InstanceID>${type}</rasd:InstanceID><rasd:ResourceType>${type}</rasd:ResourceType>${more}</Item>`;
const OVF = `<Envelope><References><File ovf:href="d.vmdk" ovf:id="f"/></References><DiskSection><Disk ovf:capacity="2" ovf:capacityAllocationUnits="byte * 2^30" ovf:diskId="d" ovf:fileRef="f"/></DiskSection><VirtualSystem ovf:id="v"><Name>n</Name><VirtualHardwareSection>${item(3, '<rasd:VirtualQuantity>2</rasd:VirtualQuantity>')}${item(4, '<rasd:VirtualQuantity>9</rasd:VirtualQuantity>')}${item(17, '<rasd:HostResource>ovf:/disk/d</rasd:HostResource><rasd:Parent>6</rasd:Parent>')}${item(10, '<rasd:Address>005056000001</rasd:Address>')}</VirtualHardwareSection></VirtualSystem></Envelope>`;
const DOMAIN =
  '<domain><name>n</name><memory unit="KiB">9</memory><vcpu>2</vcpu><os firmware="efi"/><devices><disk device="disk"><source file="/x"/><target dev="vda" bus="virtio"/></disk><interface><mac address="52:54:00:00:00:01"/></interface></devices></domain>';

const refuses = (error: unknown): boolean => error instanceof ImportError;

function check(machine: SourceMachine): void {
  const { vm, uploads } = planImport(machine, planning);
  expect(/^[a-z][-a-z0-9]*$/.test(vm.metadata?.name ?? ''), `name ${vm.metadata?.name}`);
  expect(
    uploads.every((upload) => upload.source === source),
    'a disk from somewhere else',
  );
}

export const ovf: FuzzTarget = {
  seeds: [bytes(OVF)],
  words: ['<Item>', '</Item>', 'ovf:', '2^99', '-1', '1e999', '&#0;', '<!DOCTYPE x>', 'parentRef="x"'],
  refuses,
  feed: (input) => check(machineFromOvf(text(input), () => source)),
};

export const domain: FuzzTarget = {
  seeds: [bytes(DOMAIN)],
  words: ['<disk>', 'device="cdrom"', 'unit="TiB"', '-1', '1e999', '&#0;', '<!DOCTYPE x>'],
  refuses,
  feed: (input) => check(machineFromLibvirt(text(input), () => ({ source, sizeBytes: 4096 }))),
};

/** Members lie inside the archive. */
export const ova: FuzzTarget = {
  seeds: [Buffer.alloc(1024)],
  words: ['ustar', '\u0080', '77777777777', '00000000000'],
  refuses,
  feed: (input) => {
    const whole = Buffer.from(input);
    diskHead(whole, whole.length);
    for (const { offset, bytes: length } of tarIndex((at, n) => whole.subarray(at, at + n), whole.length))
      expect(offset >= 512 && offset + length <= whole.length, 'a member outside of the archive');
  },
};
