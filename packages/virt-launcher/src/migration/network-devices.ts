/**
 * SR-IOV devices cannot move: the guest lets go of them before it leaves, and gets those of its new node when it has
 * arrived, or its own again when it stayed. (A guest that bonds them with another NIC loses no connection.)
 */
import { type Clock, sleep } from '@podvisor/base';
import type { DomainRef, LibvirtConnection } from '@podvisor/libvirt';
import { type Domain, type DomainHostDevice, domainFromXml, domainToXml } from '@podvisor/translate';
import { LauncherError } from '../launcher-error.ts';

const ALIAS = 'ua-sriov-';
/** How long a guest may take to let go. */
const RELEASE_MS = 30_000;

type Connection = Pick<LibvirtConnection, 'getXml' | 'devices'>;

/** The devices of SR-IOV networks in a domain. */
export function networkDevicesOf({ devices }: Domain): readonly DomainHostDevice[] {
  return (devices?.hostDevices ?? []).filter(({ alias }) => alias?.name?.startsWith(ALIAS) === true);
}

/** Those of `wanted` that the domain does not have. */
export function missingDevices(
  wanted: readonly DomainHostDevice[],
  live: Domain,
): readonly DomainHostDevice[] {
  const present = new Set(networkDevicesOf(live).map(({ alias }) => alias?.name));
  return wanted.filter(({ alias }) => !present.has(alias?.name));
}

export interface ReleaseOptions {
  /** Resolves when libvirt says that the domain has lost a device of this alias. */
  removed(alias: string, signal: AbortSignal): Promise<void>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The guest has let go of its SR-IOV devices; they are returned. Throws when it does not in time. */
export async function releaseDevices(
  connection: Connection,
  domain: DomainRef,
  { removed, clock, signal }: ReleaseOptions,
): Promise<readonly DomainHostDevice[]> {
  const devices = networkDevicesOf(domainFromXml(await connection.getXml(domain)));
  for (const { alias } of devices) {
    const name = alias?.name ?? '';
    const waiting = new AbortController();
    const both = AbortSignal.any([signal, waiting.signal]);
    const gone = removed(name, both).then(() => true);
    try {
      await connection.devices.detachAlias(domain, name);
      const isGone = await Promise.race([gone, sleep(clock, RELEASE_MS, both).then(() => false)]);
      // The event may have been lost with the connection: the domain itself has the last word.
      const left = isGone ? [] : networkDevicesOf(domainFromXml(await connection.getXml(domain)));
      if (left.some((device) => device.alias?.name === name))
        throw new LauncherError(
          `the guest has not let go of the SR-IOV interface ${name.slice(ALIAS.length)} within ${RELEASE_MS / 1000} s, and it cannot move with it`,
        );
    } finally {
      waiting.abort();
      gone.catch(() => undefined);
    }
  }
  return devices;
}

/** Gives the domain those of the devices that it lacks. */
export async function giveDevices(
  connection: Connection,
  domain: DomainRef,
  wanted: readonly DomainHostDevice[],
): Promise<void> {
  if (wanted.length === 0) return;
  for (const device of missingDevices(wanted, domainFromXml(await connection.getXml(domain))))
    await connection.devices.attach(domain, deviceXml(device));
}

/** The device as the only one of a domain's. */
export function deviceXml(device: DomainHostDevice): string {
  const xml = domainToXml({ devices: { hostDevices: [device] } });
  return xml.slice(xml.indexOf('<devices>') + '<devices>'.length, xml.lastIndexOf('</devices>')).trim();
}
