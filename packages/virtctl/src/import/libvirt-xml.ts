/** A libvirt domain as `virsh dumpxml` writes it. Pure: `find` answers for the disks that it names. */
import type { XmlElement } from '@podvisor/translate';
import { type DiskBus, ImportError, MAX_DISKS, type SourceDisk, type SourceMachine } from './machine.ts';
import { attribute, child, children, descendants, nameOf, readXml, text } from './xml.ts';

const BUSES: readonly DiskBus[] = ['ide', 'sata', 'scsi', 'virtio', 'usb'];
const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  bytes: 1,
  k: 1024,
  kib: 1024,
  kb: 1000,
  m: 2 ** 20,
  mib: 2 ** 20,
  mb: 1e6,
  g: 2 ** 30,
  gib: 2 ** 30,
  gb: 1e9,
};
/** Made anew by the launcher, or of no weight. */
const REMADE = new Set([
  'emulator',
  'controller',
  'console',
  'serial',
  'channel',
  'graphics',
  'video',
  'input',
  'memballoon',
  'rng',
  'disk',
  'interface',
  'tpm',
  'audio',
  'panic',
  'watchdog',
  'vsock',
]);

export function machineFromLibvirt(
  xml: string,
  find: (path: string) => Pick<SourceDisk, 'source' | 'sizeBytes'>,
): SourceMachine {
  const domain = readXml(xml, 'the domain XML');
  if (nameOf(domain) !== 'domain') throw new ImportError(`expected <domain>, found <${domain.name}>`);
  const devices = child(domain, 'devices');
  const hard = children(devices, 'disk').filter((disk) => (attribute(disk, 'device') ?? 'disk') === 'disk');
  if (hard.length > MAX_DISKS) throw new ImportError(`the domain has more than ${MAX_DISKS} disks`);
  const loader = child(domain, 'os', 'loader');
  const isEfi =
    attribute(child(domain, 'os'), 'firmware') === 'efi' || attribute(loader, 'type') === 'pflash';
  const uuid = text(domain, 'uuid');
  return {
    name: text(domain, 'name') || 'imported',
    cpus: countOf(text(domain, 'vcpu')),
    memoryMib: memoryOf(child(domain, 'memory')),
    firmware: isEfi ? 'efi' : 'bios',
    secureBoot: attribute(loader, 'secure') === 'yes',
    tpm: children(devices, 'tpm').length > 0,
    ...(/^[0-9a-f-]{36}$/.test(uuid) ? { uuid } : {}),
    os: osOf(domain),
    disks: hard.map((disk) => diskOf(disk, find)),
    nics: children(devices, 'interface').map((nic) => {
      const mac = attribute(child(nic, 'mac'), 'address');
      const source = child(nic, 'source');
      const network = ['network', 'bridge', 'dev']
        .map((key) => attribute(source, key))
        .find((name) => name !== undefined);
      return {
        model: attribute(child(nic, 'model'), 'type') ?? 'virtio',
        network: network ?? 'unknown',
        ...(mac === undefined ? {} : { mac: mac.toLowerCase() }),
      };
    }),
    others: [
      ...children(devices, 'disk')
        .filter((disk) => (attribute(disk, 'device') ?? 'disk') !== 'disk')
        .map((disk) => `${attribute(disk, 'device') === 'floppy' ? 'floppy' : 'CD'} drive`),
      ...(devices?.children ?? []).filter((one) => !REMADE.has(nameOf(one))).map((one) => nameOf(one)),
    ],
  };
}

function countOf(digits: string): number {
  const count = Number(digits);
  return Number.isInteger(count) && count > 0 && count <= 1024 ? count : 1;
}

function memoryOf(element: XmlElement | undefined): number {
  const factor = UNITS[(attribute(element, 'unit') ?? 'KiB').toLowerCase()] ?? 1024;
  const mib = Math.ceil((Number(element?.text ?? '') * factor) / 2 ** 20);
  return Number.isFinite(mib) && mib > 0 ? mib : 1024;
}

function diskOf(
  disk: XmlElement,
  find: (path: string) => Pick<SourceDisk, 'source' | 'sizeBytes'>,
): SourceDisk {
  const source = child(disk, 'source');
  const target = child(disk, 'target');
  const name = attribute(target, 'dev') ?? 'disk';
  const path = attribute(source, 'file');
  if (path === undefined)
    throw new ImportError(
      `disk ${name} is no file (${attribute(disk, 'type') ?? 'unknown'}): copy it to one with qemu-img convert, and name it in the XML`,
    );
  const bus = BUSES.find((one) => one === attribute(target, 'bus')) ?? 'sata';
  return { name, bus, ...find(path) };
}

function osOf(domain: XmlElement): SourceMachine['os'] {
  const id =
    [...descendants(domain, 'os')].map((one) => attribute(one, 'id') ?? '').find((one) => one !== '') ?? '';
  const hasHyperv = [...descendants(domain, 'hyperv')].length > 0;
  if (id.includes('microsoft') || hasHyperv) return 'windows';
  return id === '' ? 'other' : 'linux';
}
