/**
 * Parsers of agent replies. The guest writes these bytes, so everything has a limit: what is too long is
 * cut, what is too many is dropped, what has the wrong type is left out. Nothing here throws on content.
 */
import { kindOfAddress, parseAddress, isRecord } from '@podvisor/base';
import type { GuestOSInfo } from '@podvisor/api';
import type { GuestFilesystem, GuestInterface, GuestUser } from './guest-facts.ts';

export const CAPS = {
  /** Bytes of one reply; libvirt's protocol itself ends at 4 MiB. */
  replyBytes: 4 * 1024 * 1024,
  text: 256,
  interfaces: 64,
  addressesPerInterface: 32,
  users: 64,
  filesystems: 128,
  disksPerFilesystem: 16,
  commands: 512,
} as const;

type Json = Readonly<Record<string, unknown>>;

/** The `return` value of a reply, or nothing when it is no agent reply. */
export function returnValue(reply: string): unknown {
  if (reply.length > CAPS.replyBytes) return undefined;
  try {
    const parsed: unknown = JSON.parse(reply);
    return isRecord(parsed) ? parsed['return'] : undefined;
  } catch {
    return undefined; // not JSON: the guest's mistake, not ours
  }
}

export function parseInfo(value: unknown): { version?: string; commands?: readonly string[] } {
  if (!isRecord(value)) return {};
  // Without a list nothing is known to be missing.
  if (!Array.isArray(value['supported_commands'])) return { version: text(value['version']) };
  const commands = objects(value['supported_commands'], CAPS.commands)
    .filter((command) => command['enabled'] === true)
    .flatMap((command) => text(command['name']) ?? []);
  return { version: text(value['version']), commands };
}

export function parseOs(value: unknown): GuestOSInfo | undefined {
  if (!isRecord(value)) return undefined;
  return {
    id: text(value['id']),
    name: text(value['name']),
    prettyName: text(value['pretty-name']),
    version: text(value['version']),
    versionId: text(value['version-id']),
    kernelRelease: text(value['kernel-release']),
    kernelVersion: text(value['kernel-version']),
    machine: text(value['machine']),
  };
}

export function parseHostname(value: unknown): string | undefined {
  return isRecord(value) ? text(value['host-name']) : undefined;
}

/** `Europe/Berlin, 7200`: the zone and its offset in seconds. */
export function parseTimezone(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const zone = text(value['zone']);
  const offset = value['offset'];
  return typeof offset === 'number' ? `${zone ?? ''}, ${Math.trunc(offset)}` : zone;
}

export function parseLoad(value: unknown): readonly [number, number, number] | undefined {
  if (!isRecord(value)) return undefined;
  const [one, five, fifteen] = ['load1m', 'load5m', 'load15m'].map((key) => finite(value[key]));
  return one === undefined || five === undefined || fifteen === undefined ? undefined : [one, five, fifteen];
}

export function parseFreezeStatus(value: unknown): string | undefined {
  return value === 'frozen' || value === 'thawed' ? value : undefined;
}

export function parseInterfaces(value: unknown): readonly GuestInterface[] {
  return objects(value, CAPS.interfaces).flatMap((nic) => {
    const name = text(nic['name']);
    const mac = text(nic['hardware-address'])?.toLowerCase();
    if (
      name === undefined ||
      name === 'lo' ||
      mac === undefined ||
      !/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac)
    )
      return [];
    const addresses = objects(nic['ip-addresses'], CAPS.addressesPerInterface).flatMap(
      (address) => ipAddress(address['ip-address']) ?? [],
    );
    return [{ name, mac, ipAddresses: addresses }];
  });
}

export function parseUsers(value: unknown): readonly GuestUser[] {
  return objects(value, CAPS.users).flatMap((user) => {
    const userName = text(user['user']);
    if (userName === undefined) return [];
    return [{ userName, domain: text(user['domain']), loginTime: finite(user['login-time']) }];
  });
}

export function parseFilesystems(value: unknown): readonly GuestFilesystem[] {
  return objects(value, CAPS.filesystems).flatMap((fs) => {
    const mountPoint = text(fs['mountpoint']);
    if (mountPoint === undefined) return [];
    return [
      {
        diskName: text(fs['name']) ?? '',
        mountPoint,
        fileSystemType: text(fs['type']) ?? '',
        usedBytes: finite(fs['used-bytes']) ?? 0,
        totalBytes: finite(fs['total-bytes']) ?? 0,
        disk: objects(fs['disk'], CAPS.disksPerFilesystem).map((disk) => ({
          serial: text(disk['serial']),
          busType: text(disk['bus-type']),
        })),
      },
    ];
  });
}

function objects(value: unknown, max: number): readonly Json[] {
  return Array.isArray(value) ? value.slice(0, max).filter(isRecord) : [];
}

/** A string without control characters, cut to the limit. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, CAPS.text).replace(/\p{Cc}/gu, '') : undefined;
}

/** An address in its one form. What no interface can have (loopback, multicast, none at all) is left out. */
function ipAddress(value: unknown): string | undefined {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  if (address === undefined) return undefined;
  const kind = kindOfAddress(address);
  return kind === 'global' || kind === 'link-local' ? address.text : undefined;
}

function finite(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
