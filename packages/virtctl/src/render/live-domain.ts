/** The domain that runs: what can be learned from it about its host, and how it is compared with a rendering. Pure. */
import { launcherPaths, type VirtualMachineInstance } from '@podvisor/api';
import {
  type ConverterContext,
  type Domain,
  domainFromXml,
  type DomainHostDevice,
  type VolumeFacts,
} from '@podvisor/translate';
import { type KeyOf, project } from './project.ts';

/** The answer of the subresource `domainxml`. */
export interface LiveXml {
  /** As it runs. */
  readonly xml: string;
  /** As it was defined: libvirt writes the CPU that it chose over the one that was asked for. */
  readonly definedXml: string;
}

/** The running domain, with the CPU as it was asked for. */
export function liveDomain({ xml, definedXml }: LiveXml): Domain {
  const { cpu } = domainFromXml(definedXml);
  return { ...domainFromXml(xml), ...(cpu === undefined ? {} : { cpu }) };
}

/** `assumed`, with what the running domain tells about its host, its Pod and its files. */
export function learned(assumed: ConverterContext, live: Domain): ConverterContext {
  const devices = live.devices ?? {};
  const hostDevices = (prefix: string): readonly DomainHostDevice[] =>
    (devices.hostDevices ?? [])
      .filter(({ alias }) => alias?.name?.startsWith(`ua-${prefix}-`))
      .map(({ address: _address, ...device }) => device);
  const pins = live.cpuTune?.vcpuPins?.map(({ cpuset }) => cpuset) ?? [];
  const cpuSet = [...pins, live.cpuTune?.emulatorPin?.cpuset].flatMap((set) =>
    set === undefined ? [] : set.split(',').map(Number),
  );
  return {
    ...assumed,
    kvmAvailable: live.type === 'kvm',
    allowEmulation: true,
    emulator: devices.emulator === launcherPaths().emulator ? devices.emulator : undefined,
    ...firmware(assumed, live),
    interfaces: assumed.interfaces.map((nic) => {
      const found = devices.interfaces?.find(({ alias }) => alias?.name === `ua-${nic.name}`);
      const [mac, tapDevice, mtu] = [found?.mac?.address, found?.target?.dev, found?.mtu?.size];
      return { ...nic, ...(mac && { mac }), ...(tapDevice && { tapDevice }), ...(mtu && { mtu }) };
    }),
    volumes: {
      ...assumed.volumes,
      ...Object.fromEntries((devices.disks ?? []).flatMap((disk) => volumeOf(disk, assumed))),
    },
    ...(cpuSet.length === 0 ? {} : { cpuSet }),
    hostDevices: hostDevices('hostdevice'),
    gpus: hostDevices('gpu'),
    sriovDevices: hostDevices('sriov'),
  };
}

/** Files of the firmware differ between distributions; which kind is wanted, the spec says. */
function firmware(assumed: ConverterContext, { os }: Domain): Pick<ConverterContext, 'efi'> {
  const { loader, nvram } = os ?? {};
  if (assumed.efi === undefined || loader?.path === undefined) return {};
  if ((loader.secure === 'yes') !== assumed.efi.secureLoader) return {};
  return { efi: { ...assumed.efi, code: loader.path, vars: nvram?.template ?? assumed.efi.vars } };
}

function volumeOf(
  disk: NonNullable<NonNullable<Domain['devices']>['disks']>[number],
  { volumes }: ConverterContext,
): readonly (readonly [string, VolumeFacts])[] {
  const name = disk.alias?.name?.replace(/^ua-/, '');
  if (name === undefined) return [];
  const format = disk.backingStore?.format?.type;
  const path = disk.backingStore?.source?.file;
  const cache = disk.driver?.cache;
  const block = disk.type === 'block' && disk.source !== undefined;
  return [
    [
      name,
      {
        ...volumes?.[name],
        block,
        directIo: cache === undefined ? volumes?.[name]?.directIo : cache === 'none',
        ...(disk.driver?.io === 'native' && !block ? { allocated: true } : {}),
        ...(format === 'raw' || format === 'qcow2'
          ? { backing: { format, ...(path === undefined ? {} : { path }) } }
          : {}),
      },
    ],
  ];
}

/** Places of the disks are facts of the running guest; a restart keeps none of what only hotplug gave. */
export function withTargets(vmi: VirtualMachineInstance, live: Domain): VirtualMachineInstance {
  const known = (live.devices?.disks ?? []).flatMap(({ alias, target }) =>
    alias?.name && target?.dev ? [{ name: alias.name.replace(/^ua-/, ''), target: target.dev }] : [],
  );
  return { ...vmi, status: { ...vmi.status, volumeStatus: known } };
}

const keyOf: KeyOf = (item) => {
  const named = (part: unknown): string | undefined =>
    typeof part === 'object' && part !== null && 'name' in part ? String(part.name) : undefined;
  // An entry of the SMBIOS tables.
  if (typeof item['name'] === 'string' && 'value' in item) return item['name'];
  return (
    named(item['alias'])?.match(/^ua-.*/)?.[0] ??
    named(item['target']) ??
    (item['index'] === undefined ? undefined : `${String(item['type'])} ${String(item['index'])}`)
  );
};

const counts = (item: Readonly<Record<string, unknown>>): boolean => keyOf(item)?.startsWith('ua-') === true;

/** The running domain as far as renderings speak of it, in their words. */
export function comparable(live: Domain, shapes: readonly Domain[]): Domain {
  const machine = shapes[0]?.os?.type?.machine ?? '';
  const running = live.os?.type?.machine ?? '';
  const projected = project(plain(live), shapes.map(plain), { keyOf, counts }) as Domain;
  // libvirt writes the version that an unversioned board name stands for.
  return new RegExp(`(^|-)${machine}(-|$)`).test(running)
    ? { ...projected, os: { ...projected.os, type: { ...projected.os?.type, machine } } }
    : projected;
}

const UNITS: Readonly<Record<string, number>> = { b: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/**
 * Amounts in bytes; without what libvirt leaves out when it is empty, and without the console, which it makes from
 * the serial port.
 */
export function plain(domain: Domain): Domain {
  const { consoles: _consoles, interfaces, disks, filesystems, ...devices } = domain.devices ?? {};
  const nics = interfaces?.map(({ source, ...nic }) =>
    source === undefined || Object.keys(source).length === 0 ? nic : { ...nic, source },
  );
  const cells = domain.cpu?.numa?.cells?.map((cell) => ({
    ...cell,
    ...(cell.cpus === undefined ? {} : { cpus: cell.cpus.replace(/^(\d+)-\1$/, '$1') }),
  }));
  return inBytes({
    ...domain,
    ...(cells === undefined ? {} : { cpu: { ...domain.cpu, numa: { ...domain.cpu?.numa, cells } } }),
    ...(domain.sysinfo === undefined ? {} : { sysinfo: withoutEmpty(domain.sysinfo) }),
    devices: {
      ...devices,
      ...(nics === undefined ? {} : { interfaces: nics }),
      ...(disks === undefined ? {} : { disks: disks.map(withoutClosedTray) }),
      ...(filesystems === undefined ? {} : { filesystems: filesystems.map(bySocket) }),
    },
  }) as Domain;
}

type Disk = NonNullable<NonNullable<Domain['devices']>['disks']>[number];
type Filesystem = NonNullable<NonNullable<Domain['devices']>['filesystems']>[number];

function withoutClosedTray(disk: Disk): Disk {
  if (disk.target?.tray !== 'closed') return disk;
  const { tray: _tray, ...target } = disk.target;
  return { ...disk, target };
}

/** One that a daemon serves is its socket; libvirt keeps nothing else of where it comes from. */
function bySocket({ accessMode: _mode, source, ...filesystem }: Filesystem): Filesystem {
  return { ...filesystem, ...(source?.socket === undefined ? {} : { source: { socket: source.socket } }) };
}

function withoutEmpty({ type, ...sections }: NonNullable<Domain['sysinfo']>): Domain['sysinfo'] {
  const filled = Object.entries(sections).flatMap(([name, section]) => {
    const entries = section?.entries?.filter(({ value }) => value !== undefined && value !== '') ?? [];
    return entries.length === 0 ? [] : [[name, { entries }]];
  });
  return { ...(type === undefined ? {} : { type }), ...Object.fromEntries(filled) };
}

function inBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inBytes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, inBytes(part)] as const);
  const unit = UNITS[String('unit' in value ? value.unit : '')];
  return Object.fromEntries(
    entries.map(([key, part]) => {
      if (unit === undefined) return [key, part];
      if (key === 'unit') return [key, 'b'];
      return [key, typeof part === 'number' && (key === 'value' || key === 'memory') ? part * unit : part];
    }),
  );
}
