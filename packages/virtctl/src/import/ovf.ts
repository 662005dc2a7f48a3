/**
 * OVF 1.x and 2.0 as VMware and VirtualBox write it. Pure: `find` answers for the files that it names, by name alone.
 * ResourceType numbers are those of CIM_ResourceAllocationSettingData.
 */
import type { XmlElement } from '@podvisor/translate';
import {
  type DiskBus,
  type DiskSource,
  ImportError,
  MAX_DISKS,
  type SourceDisk,
  type SourceMachine,
  type SourceNic,
} from './machine.ts';
import { attribute, child, children, descendants, readXml, text } from './xml.ts';

const TYPE = {
  cpu: 3,
  memory: 4,
  ide: 5,
  scsi: 6,
  ethernet: 10,
  floppy: 14,
  cd: 15,
  dvd: 16,
  disk: 17,
  controller: 20,
  usb: 23,
  graphics: 24,
  sound: 35,
};
const DROPPED: Readonly<Record<number, string>> = {
  [TYPE.floppy]: 'floppy drive',
  [TYPE.cd]: 'CD drive',
  [TYPE.dvd]: 'CD drive',
  [TYPE.usb]: 'USB controller',
  [TYPE.sound]: 'sound card',
};

interface Item {
  readonly id: string;
  readonly type: number;
  readonly subType: string;
  readonly parent: string;
  readonly element: XmlElement;
}

export function machineFromOvf(xml: string, find: (name: string) => DiskSource | undefined): SourceMachine {
  const envelope = readXml(xml, 'the OVF');
  const systems = [...descendants(envelope, 'VirtualSystem')];
  const [system] = systems;
  if (system === undefined) throw new ImportError('the OVF describes no machine (VirtualSystem)');
  if (systems.length > 1)
    throw new ImportError(`the OVF describes ${systems.length} machines: export them one by one`);
  const items = itemsOf(system);
  const disks = disksOf(envelope, items, find);
  if (disks.length > MAX_DISKS) throw new ImportError(`the OVF has more than ${MAX_DISKS} disks`);
  const { isEfi, secureBoot, tpm } = firmwareOf(system);
  return {
    name: text(system, 'Name') || attribute(system, 'id') || 'imported',
    cpus: countOf(items.find(({ type }) => type === TYPE.cpu)) ?? 1,
    memoryMib: memoryOf(items.find(({ type }) => type === TYPE.memory)),
    firmware: isEfi ? 'efi' : 'bios',
    secureBoot,
    tpm,
    os: osOf(system),
    disks,
    nics: nicsOf(system, items),
    others: items.flatMap(({ type, element }) => {
      const what = DROPPED[type];
      return what === undefined
        ? []
        : [`${what} (${text(element, 'ElementName') || text(element, 'Description')})`];
    }),
  };
}

/** `Item`, and the special elements of OVF 2.0. */
function itemsOf(system: XmlElement): readonly Item[] {
  const section = child(system, 'VirtualHardwareSection');
  return ['Item', 'StorageItem', 'EthernetPortItem']
    .flatMap((name) => children(section, name))
    .map((element) => ({
      id: text(element, 'InstanceID'),
      type: Number(text(element, 'ResourceType')),
      subType: text(element, 'ResourceSubType').toLowerCase(),
      parent: text(element, 'Parent'),
      element,
    }));
}

function countOf(item: Item | undefined): number | undefined {
  const count = Number(text(item?.element, 'VirtualQuantity'));
  return Number.isInteger(count) && count > 0 && count <= 1024 ? count : undefined;
}

/** `byte * 2^20` is MiB; some write MegaBytes. */
function memoryOf(item: Item | undefined): number {
  const count = Number(text(item?.element, 'VirtualQuantity'));
  const units = text(item?.element, 'AllocationUnits').toLowerCase();
  const power = Number(
    /2\^(\d+)/.exec(units)?.[1] ?? (units.startsWith('giga') ? 30 : units.startsWith('kilo') ? 10 : 20),
  );
  const mib = Math.ceil((count * 2 ** power) / 2 ** 20);
  return Number.isFinite(mib) && mib > 0 && mib < 2 ** 24 ? mib : 1024;
}

function disksOf(
  envelope: XmlElement,
  items: readonly Item[],
  find: (name: string) => DiskSource | undefined,
): readonly SourceDisk[] {
  const files = new Map(
    children(child(envelope, 'References'), 'File').map((file) => [
      attribute(file, 'id'),
      attribute(file, 'href'),
    ]),
  );
  const described = new Map(
    children(child(envelope, 'DiskSection'), 'Disk').map((disk) => [attribute(disk, 'diskId'), disk]),
  );
  return items
    .filter(({ type }) => type === TYPE.disk)
    .map(({ element, parent }) => {
      const resource = text(element, 'HostResource');
      const id = resource.slice(resource.lastIndexOf('/') + 1);
      const disk = described.get(id);
      const name = files.get(attribute(disk, 'fileRef'));
      if (disk === undefined || name === undefined)
        throw new ImportError(
          `the disk ${resource} has no file in the OVF: an empty disk cannot be imported`,
        );
      if (attribute(disk, 'parentRef') !== undefined)
        throw new ImportError(
          `the disk ${id} is a difference to another: export the machine without snapshots`,
        );
      const source = find(name);
      if (source === undefined) throw new ImportError(`${name}, which the OVF names, is not beside it`);
      return {
        name,
        bus: busOf(items.find((item) => item.id === parent)),
        sizeBytes: capacityOf(disk),
        source,
      };
    });
}

function capacityOf(disk: XmlElement): number {
  const count = Number(attribute(disk, 'capacity'));
  const power = Number(/2\^(\d+)/.exec(attribute(disk, 'capacityAllocationUnits') ?? '')?.[1] ?? 0);
  const bytes = count * 2 ** power;
  if (!Number.isSafeInteger(bytes) || bytes <= 0) throw new ImportError('a disk of the OVF has no capacity');
  return bytes;
}

function busOf(controller: Item | undefined): DiskBus {
  if (controller?.type === TYPE.ide) return 'ide';
  if (controller?.type === TYPE.scsi) return 'scsi';
  return controller?.subType.includes('nvme') === true ? 'nvme' : 'sata';
}

/** VirtualBox keeps MAC addresses in its own part of the document, in the order of the adapters. */
function nicsOf(system: XmlElement, items: readonly Item[]): readonly SourceNic[] {
  const adapters = [...descendants(system, 'Adapter')].filter((one) => attribute(one, 'enabled') === 'true');
  return items
    .filter(({ type }) => type === TYPE.ethernet)
    .map(({ subType, element }, index) => {
      const address = text(element, 'Address') || (attribute(adapters[index], 'MACAddress') ?? '');
      const digits = address.replaceAll(/[^0-9a-fA-F]/g, '').toLowerCase();
      const mac = digits.length === 12 ? digits.match(/../g)?.join(':') : undefined;
      return {
        model: subType || 'e1000',
        network: text(element, 'Connection') || 'unknown',
        ...(mac === undefined ? {} : { mac }),
      };
    });
}

function firmwareOf(system: XmlElement): {
  readonly isEfi: boolean;
  readonly secureBoot: boolean;
  readonly tpm: boolean;
} {
  const settings = new Map(
    ['Config', 'ExtraConfig'].flatMap((name) =>
      [...descendants(system, name)].map(
        (one) => [attribute(one, 'key') ?? '', attribute(one, 'value') ?? ''] as const,
      ),
    ),
  );
  const virtualBox = [...descendants(system, 'Firmware')].map((one) => attribute(one, 'type') ?? '');
  return {
    isEfi: settings.get('firmware') === 'efi' || virtualBox.some((type) => type.startsWith('EFI')),
    secureBoot: [
      settings.get('bootOptions.efiSecureBootEnabled'),
      settings.get('uefi.secureBoot.enabled'),
    ].some((value) => value?.toLowerCase() === 'true'),
    tpm: [...descendants(system, 'TrustedPlatformModule')].some((one) => attribute(one, 'type') !== 'None'),
  };
}

function osOf(system: XmlElement): SourceMachine['os'] {
  const section = child(system, 'OperatingSystemSection');
  const words = [attribute(section, 'osType'), text(section, 'Description'), text(section, 'OSType')]
    .join(' ')
    .toLowerCase();
  if (words.includes('windows')) return 'windows';
  return /linux|debian|ubuntu|fedora|centos|rhel|suse|alma|rocky|alpine/.test(words) ? 'linux' : 'other';
}
