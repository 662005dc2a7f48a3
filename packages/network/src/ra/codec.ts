/** Router solicitations and advertisements (RFC 4861, RFC 8106). Pure. */
import type { RouterAdvertisementConfig } from '@podvisor/api';
import { ipv6Bytes, macBytes } from '../address.ts';
import { domainNames } from '../domain-names.ts';

export const ROUTER_SOLICITATION = 133;
const ROUTER_ADVERTISEMENT = 134;

const OPTION = { sourceLinkAddress: 1, prefix: 3, mtu: 5, dnsServers: 25, domainSearch: 31 } as const;
const HOP_LIMIT = 64;
/** Addresses (M) and other facts (O) come by DHCPv6. */
const MANAGED_AND_OTHER = 0xc0;
const ON_LINK = 0x80;
const AUTONOMOUS = 0x40;
/** RFC 4861's longest; renewed long before it ends, so that a node agent may be away meanwhile. */
export const ROUTER_LIFETIME_SECONDS = 9000;
const FOREVER = 0xffff_ffff;
/** Stateless configuration works with 64 bits only (RFC 4862, RFC 4291). */
const AUTONOMOUS_PREFIX_LENGTH = 64;
const MAX_DNS_SERVERS = 3;
/** An option's length is a byte of units of 8 bytes; a few hundred bytes hold all of Kubernetes' domains. */
const MAX_SEARCH_BYTES = 1024;

/** Bytes of the advertisement; the checksum is the kernel's. `isLeaving`: no longer a default router. */
export function encodeAdvertisement(config: RouterAdvertisementConfig, isLeaving = false): Uint8Array {
  const lifetime = isLeaving ? 0 : ROUTER_LIFETIME_SECONDS;
  return Uint8Array.from([
    ROUTER_ADVERTISEMENT,
    0,
    ...uint16(0),
    HOP_LIMIT,
    MANAGED_AND_OTHER,
    ...uint16(lifetime),
    ...uint32(0),
    ...uint32(0),
    ...option(OPTION.sourceLinkAddress, [...macBytes(config.routerMac)]),
    ...option(OPTION.mtu, [0, 0, ...uint32(config.mtu)]),
    ...prefixOption(config.prefix, config.isAutonomous ?? true),
    ...dnsOptions(config, isLeaving ? 0 : ROUTER_LIFETIME_SECONDS),
  ]);
}

/**
 * True when `message` asks for an advertisement and does not come from another NIC than `guestMac`. A guest
 * without any address yet cannot say its MAC address (RFC 4861, 4.1).
 */
export function isSolicitationOf(message: Uint8Array, guestMac: string): boolean {
  if (message.length < 8 || message[0] !== ROUTER_SOLICITATION || message[1] !== 0) return false;
  for (let at = 8; at < message.length; ) {
    const units = message[at + 1] ?? 0;
    const end = at + units * 8;
    // RFC 4861, 6.1.1: an option without length spoils the whole message.
    if (units === 0 || end > message.length) return false;
    if (message[at] === OPTION.sourceLinkAddress) {
      const guest = macBytes(guestMac);
      if (message.subarray(at + 2, at + 8).some((byte, i) => byte !== guest[i])) return false;
    }
    at = end;
  }
  return true;
}

function prefixOption(prefix: string, isAutonomous: boolean): number[] {
  const [base = '', length = ''] = prefix.split('/');
  const mayChoose = isAutonomous && Number(length) === AUTONOMOUS_PREFIX_LENGTH;
  const flags = mayChoose ? ON_LINK | AUTONOMOUS : ON_LINK;
  return option(OPTION.prefix, [
    Number(length),
    flags,
    ...uint32(FOREVER),
    ...uint32(FOREVER),
    ...uint32(0),
    ...ipv6Bytes(base),
  ]);
}

function dnsOptions({ dnsServers, searchDomains }: RouterAdvertisementConfig, lifetime: number): number[] {
  const servers = dnsServers.slice(0, MAX_DNS_SERVERS).flatMap((address) => [...ipv6Bytes(address)]);
  const domains = domainNames(searchDomains, MAX_SEARCH_BYTES);
  const head = [0, 0, ...uint32(lifetime)];
  return [
    ...(servers.length === 0 ? [] : option(OPTION.dnsServers, [...head, ...servers])),
    ...(domains.length === 0 ? [] : option(OPTION.domainSearch, [...head, ...domains])),
  ];
}

/** An option, filled up with zeros to a multiple of 8 bytes. */
function option(type: number, body: readonly number[]): number[] {
  const units = Math.ceil((body.length + 2) / 8);
  return [type, units, ...body, ...Array.from({ length: units * 8 - body.length - 2 }, () => 0)];
}

function uint16(value: number): number[] {
  return [(value >>> 8) & 0xff, value & 0xff];
}

function uint32(value: number): number[] {
  return [...uint16(value >>> 16), ...uint16(value & 0xffff)];
}
