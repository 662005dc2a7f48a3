/** `<disk>`: every disk, cdrom and LUN of the VMI. */
import type { Disk } from '@podvisor/api';
import { virtioModel } from '../platform/architecture.ts';
import type { VolumeFacts } from '../context.ts';
import { assignTargets, type DiskTarget } from './disk-targets.ts';
import { assignIoThreads } from '../cpu/iothreads.ts';
import type { DiskDriver, DomainDisk } from '../model/disk.ts';
import { pciAddress } from '../devices/pci-address.ts';
import { ConversionError, type Conversion, type Part } from '../part.ts';
import { type LocatedVolume, locateVolume } from './volume-source.ts';

const MAX_BLOCK_BYTES_S390X = 4096;
const ERROR_POLICIES: readonly string[] = ['stop', 'ignore', 'report', 'enospace'];
const PR_HELPER_SOCKET = 'daemons/pr/pr-helper.sock';

/** Disks, in the order of the spec. */
export const disksPart: Part = {
  name: 'disks',
  fields: ['spec.domain.devices.disks', 'spec.volumes', 'status.volumeStatus'],
  convert: (input) => {
    const specs = input.spec.domain.devices.disks ?? [];
    if (specs.length === 0) return {};
    const buses = specs.map(busOf);
    const targets = assignTargets(
      input.vmi,
      specs.map((disk, index) => ({
        name: disk.name,
        bus: deviceOf(disk) === '' ? undefined : (buses[index] ?? ''),
      })),
    );
    const threads = assignIoThreads(input.spec, buses);
    const disks = specs.map((disk, index) =>
      convertDisk(disk, index, targets[index] ?? { dev: '', index }, threads[index] ?? {}, input),
    );
    return { devices: { disks } };
  },
};

function modelOf({ architecture, context, virtio }: Conversion): string {
  return context.transitionalDisks ? virtioModel(architecture, true) : virtio;
}

/** The bus that the spec names; empty when it names none. */
function busOf(disk: Disk): string {
  return (disk.disk ?? disk.lun ?? disk.cdrom)?.bus ?? '';
}

function deviceOf(disk: Disk): string {
  if (disk.disk !== undefined) return 'disk';
  if (disk.lun !== undefined) return 'lun';
  return disk.cdrom !== undefined ? 'cdrom' : '';
}

function convertDisk(
  disk: Disk,
  index: number,
  target: DiskTarget,
  thread: DiskDriver,
  input: Conversion,
): DomainDisk {
  const field = `spec.domain.devices.disks[${index}]`;
  const bus = busOf(disk);
  const device = deviceOf(disk);
  const volume = input.spec.volumes?.find(({ name }) => name === disk.name);
  const emptyTray = volume === undefined && device === 'cdrom';
  if (volume === undefined && !emptyTray) {
    throw new ConversionError(`no matching volume with name ${disk.name} found`, field);
  }
  const facts = input.context.volumes?.[disk.name] ?? {};
  const located = volume === undefined ? undefined : locateVolume(volume, input);
  const metrics = volume?.downwardMetrics !== undefined;
  const tray = device === 'cdrom' ? disk.cdrom?.tray : undefined;
  return {
    type: located?.type ?? 'block',
    device,
    ...((bus === 'virtio' && device === 'disk') || metrics ? { model: modelOf(input) } : {}),
    driver: metrics
      ? metricsDriver(disk, thread)
      : driverOf(disk, { bus, device, located, facts, thread }, input),
    // An empty tray has a source too, with nothing in it.
    source: withReservation(located?.source ?? {}, disk, input),
    ...(located?.backingStore === undefined ? {} : { backingStore: located.backingStore }),
    target: {
      ...(target.dev === '' ? {} : { dev: target.dev }),
      ...(bus === '' ? {} : { bus }),
      ...(tray ? { tray } : {}),
    },
    ...blockSize(disk, facts, input),
    ...(isReadonly(disk) || metrics ? { readonly: true as const } : {}),
    ...(device === 'disk' && disk.shareable ? { shareable: true as const } : {}),
    ...(device === 'disk' && disk.serial ? { serial: disk.serial } : {}),
    ...(disk.bootOrder === undefined ? {} : { boot: { order: String(disk.bootOrder) } }),
    alias: { name: `ua-${disk.name}` },
    ...addressOf(disk, bus, target, field),
  };
}

interface DriverFacts {
  readonly bus: string;
  readonly device: string;
  readonly located: LocatedVolume | undefined;
  readonly facts: VolumeFacts;
  readonly thread: DiskDriver;
}

function driverOf(
  disk: Disk,
  { bus, device, located, facts, thread }: DriverFacts,
  input: Conversion,
): DiskDriver {
  const cache = cacheMode(disk, facts);
  const direct = facts.block === true && located?.backingStore === undefined;
  const paysAio = cache === 'none' && (direct || facts.preallocated || facts.allocated);
  const io = disk.io || (paysAio ? 'native' : undefined);
  const multiQueue = bus === 'virtio' && input.spec.domain.devices.blockMultiQueue === true;
  return {
    name: 'qemu',
    type: located?.format ?? 'raw',
    ...(cache === undefined ? {} : { cache }),
    errorPolicy: errorPolicyOf(disk),
    ...(io === undefined ? {} : { io }),
    ...(discards(device, located, facts) ? { discard: 'unmap' } : {}),
    ...(multiQueue ? { queues: input.vcpuCount } : {}),
    ...thread,
    ...(bus === 'virtio' && input.encrypted ? { iommu: 'on' } : {}),
  };
}

/** An empty tray gives back what is put into it. */
function discards(device: string, located: LocatedVolume | undefined, facts: VolumeFacts): boolean {
  const discard = located?.discard ?? 'always';
  if (discard === 'always') return true;
  return !facts.preallocated && (discard === 'unless-allocated' || device === 'disk' || device === 'lun');
}

function errorPolicyOf({ errorPolicy = 'stop' }: Disk): string {
  if (ERROR_POLICIES.includes(errorPolicy)) return errorPolicy;
  throw new ConversionError(`error policy ${errorPolicy} not recognized`, 'spec.domain.devices.disks');
}

/** The metrics disk is a file of ours: nothing that a user may tune holds for it. */
function metricsDriver(disk: Disk, thread: DiskDriver): DiskDriver {
  return { name: 'qemu', type: 'raw', errorPolicy: errorPolicyOf(disk), ...thread };
}

/** What the spec says; shared disks never cache; else by whether the storage can bypass the page cache. */
function cacheMode(disk: Disk, facts: VolumeFacts): string | undefined {
  if (disk.disk !== undefined && disk.shareable) {
    if (disk.cache && disk.cache !== 'none') {
      throw new ConversionError(
        `a sharable disk requires cache = none got: ${disk.cache}`,
        'spec.domain.devices.disks',
      );
    }
    return 'none';
  }
  if (disk.cache) return disk.cache;
  return facts.directIo === undefined ? undefined : facts.directIo ? 'none' : 'writethrough';
}

function isReadonly(disk: Disk): boolean {
  if (disk.cdrom !== undefined) return disk.cdrom.readonly !== false;
  return disk.disk?.readonly === true || disk.lun?.readonly === true;
}

function blockSize(
  disk: Disk,
  facts: VolumeFacts,
  { architecture }: Conversion,
): Pick<DomainDisk, 'blockio'> {
  const custom = disk.blockSize?.custom;
  if (custom !== undefined) {
    const { logical = 0, physical = 0 } = custom;
    if (architecture.name === 's390x' && Math.max(logical, physical) > MAX_BLOCK_BYTES_S390X) {
      throw new ConversionError(
        `custom block size (logical=${logical}, physical=${physical}) exceeds the maximum supported size of ${MAX_BLOCK_BYTES_S390X} for architecture s390x`,
        'spec.domain.devices.disks',
      );
    }
    return {
      blockio: {
        ...(custom.logical === undefined ? {} : { logicalBlockSize: custom.logical }),
        ...(custom.physical === undefined ? {} : { physicalBlockSize: custom.physical }),
        ...(custom.discardGranularity === undefined ? {} : { discardGranularity: custom.discardGranularity }),
      },
    };
  }
  const match = disk.blockSize?.matchVolume;
  if (match === undefined || match.enabled === false || facts.blockSize === undefined) return {};
  const { logicalBytes, physicalBytes, discardBytes } = facts.blockSize;
  return {
    blockio: {
      logicalBlockSize: logicalBytes,
      physicalBlockSize: physicalBytes,
      ...(discardBytes === undefined ? {} : { discardGranularity: discardBytes }),
    },
  };
}

function withReservation(
  source: NonNullable<DomainDisk['source']>,
  disk: Disk,
  { paths }: Conversion,
): DomainDisk['source'] {
  if (disk.lun?.reservation !== true) return source;
  const helper = { type: 'unix', path: `${paths.shareDir}/${PR_HELPER_SOCKET}`, mode: 'client' };
  return { ...source, reservations: { managed: 'no', migration: 'yes', source: helper } };
}

function addressOf(disk: Disk, bus: string, target: DiskTarget, field: string): Pick<DomainDisk, 'address'> {
  if (disk.disk?.pciAddress) {
    if (bus !== 'virtio') {
      throw new ConversionError(
        `setting a pci address is not allowed for non-virtio bus types, for disk ${disk.name}`,
        `${field}.disk.pciAddress`,
      );
    }
    return {
      address: pciAddress(disk.disk.pciAddress, `${field}.disk.pciAddress`, `disk ${disk.name}`),
    };
  }
  if (bus !== 'scsi') return {};
  return { address: { type: 'drive', controller: '0', bus: '0', unit: String(target.index) } };
}
