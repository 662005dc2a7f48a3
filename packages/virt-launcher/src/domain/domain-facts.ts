/** What the launcher reads out of a domain's live XML. Pure. */
import { type DomainInterface, pluggedVolumeOf } from '@podvisor/api';
import type { Domain } from '@podvisor/translate';
import { trackedVolume } from '../backup/tracked-disks.ts';
import { withoutSurplus } from '../start-up/emulator.ts';

export interface DomainFacts {
  readonly diskTargets: Readonly<Record<string, string>>;
  /** Bytes of the disks on claims, by volume. */
  readonly diskBytes?: Readonly<Record<string, number>>;
  /** Volumes below the directory of plugged disks. */
  readonly pluggedVolumes: readonly string[];
  /** Volumes whose changed blocks are tracked. */
  readonly trackedVolumes: readonly string[];
  /** Sizes of images made here, by volume. */
  readonly imageBytes?: Readonly<Record<string, number>>;
  readonly interfaces: readonly DomainInterface[];
  readonly agentConnected: boolean;
  /** Unix socket of the first serial port. */
  readonly serialSocket?: string;
  readonly vncSocket?: string;
  /** One for each slot that takes a USB device of the client. */
  readonly usbSockets: readonly string[];
  readonly memoryBytes?: { readonly current: number; readonly max: number; readonly requested: number };
  readonly cpu?: { readonly sockets: number; readonly cores: number; readonly threads: number };
  readonly machineType?: string;
  readonly osArch?: string;
}

/** Aliases of our own making carry this prefix, which libvirt demands of users. */
const USER_ALIAS = 'ua-';
const AGENT_CHANNEL = 'org.qemu.guest_agent.0';
const UNIT_BYTES: Readonly<Record<string, number>> = {
  b: 1,
  bytes: 1,
  KiB: 1024,
  k: 1024,
  MiB: 1024 ** 2,
  M: 1024 ** 2,
  GiB: 1024 ** 3,
  G: 1024 ** 3,
};

/** Images that this launcher made of files: volume name → path. All others are overlays, claims or devices. */
export function madeImages({ devices }: Domain): ReadonlyMap<string, string> {
  return new Map(
    (devices?.disks ?? []).flatMap(({ alias, source }) => {
      const volume = userName(alias?.name);
      return volume !== undefined && source?.file?.endsWith('.iso') ? [[volume, source.file] as const] : [];
    }),
  );
}

/** `plain`: the domain with its disks as they are behind overlays that track changes. */
export function domainFacts(domain: Domain, plain = domain): DomainFacts {
  const devices = domain.devices ?? {};
  const agent = devices.channels?.find((channel) => channel.target?.name === AGENT_CHANNEL);
  const current = bytes(domain.currentMemory);
  const max = bytes(domain.memory);
  return {
    diskTargets: Object.fromEntries(
      (devices.disks ?? []).flatMap((disk) => {
        const volume = userName(disk.alias?.name);
        return volume !== undefined && disk.target?.dev !== undefined ? [[volume, disk.target.dev]] : [];
      }),
    ),
    pluggedVolumes: (plain.devices?.disks ?? []).flatMap(({ alias, source }) => {
      const volume = userName(alias?.name);
      return volume !== undefined && pluggedVolumeOf(source?.file ?? source?.dev ?? '') !== undefined
        ? [volume]
        : [];
    }),
    trackedVolumes: (devices.disks ?? []).flatMap((disk) => trackedVolume(disk) ?? []),
    interfaces: (devices.interfaces ?? []).flatMap((nic) => {
      if (nic.mac?.address === undefined) return [];
      return [
        {
          name: userName(nic.alias?.name),
          mac: nic.mac.address.toLowerCase(),
          linkState: nic.link?.state === 'down' ? ('down' as const) : ('up' as const),
          queueCount: nic.driver?.queues ?? 1,
          source: 'domain' as const,
        },
      ];
    }),
    agentConnected: agent?.target?.state === 'connected',
    serialSocket: devices.serials?.find((port) => port.type === 'unix')?.source?.path,
    vncSocket: devices.graphics
      ?.filter((graphics) => graphics.type === 'vnc')
      .map((graphics) => graphics.listen?.socket)
      .find((path) => path !== undefined),
    usbSockets: (devices.redirectedDevices ?? []).flatMap(({ source }) =>
      source?.path === undefined ? [] : [source.path],
    ),
    memoryBytes:
      max === undefined
        ? undefined
        : {
            current: withoutSurplus(domain, current ?? max),
            max,
            requested: max - unrequestedBytes(domain),
          },
    cpu: cpuFacts(domain),
    machineType: domain.os?.type?.machine,
    osArch: domain.os?.type?.arch,
  };
}

/** CPUs that the guest has now; undefined when the domain does not say. */
export function enabledVcpus({ vcpu, vcpus }: Domain): number | undefined {
  const slots = vcpus?.vcpu ?? [];
  if (slots.length > 0) return slots.filter(({ enabled }) => enabled === 'yes').length;
  return vcpu?.current ?? vcpu?.value;
}

/** The topology of the CPUs that the guest has: sockets that only wait to be plugged in do not count. */
function cpuFacts(domain: Domain): DomainFacts['cpu'] {
  const { sockets, cores = 1, threads = 1 } = domain.cpu?.topology ?? {};
  if (sockets === undefined) return undefined;
  const enabled = enabledVcpus(domain) ?? sockets * cores * threads;
  return { sockets: Math.max(1, Math.ceil(enabled / (cores * threads))), cores, threads };
}

/** Memory of devices that nobody has asked for: it counts as the domain's, and the guest does not see it. */
function unrequestedBytes({ devices }: Domain): number {
  return (devices?.memoryDevices ?? []).reduce(
    (sum, { target }) => sum + (bytes(target?.size) ?? 0) - (bytes(target?.requested) ?? 0),
    0,
  );
}

function userName(alias: string | undefined): string | undefined {
  return alias?.startsWith(USER_ALIAS) ? alias.slice(USER_ALIAS.length) : undefined;
}

function bytes(amount: { readonly unit?: string; readonly value?: number } | undefined): number | undefined {
  return amount?.value === undefined ? undefined : amount.value * (UNIT_BYTES[amount.unit ?? 'KiB'] ?? 1);
}
