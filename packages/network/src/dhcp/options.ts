/** The options of an answer, from what the guest is to be told. Pure. */
import type { DhcpConfig } from '@podvisor/api';
import { ipv4Mask, parseIpv4 } from '../address.ts';
import { domainNames } from '../domain-names.ts';

/** Option codes of RFC 2132, RFC 3397 (119) and RFC 3442 (121). */
export const OPTION = {
  subnetMask: 1,
  router: 3,
  dns: 6,
  hostname: 12,
  domainName: 15,
  mtu: 26,
  ntp: 42,
  requestedAddress: 50,
  leaseTime: 51,
  messageType: 53,
  serverId: 54,
  tftpServer: 66,
  bootFile: 67,
  domainSearch: 119,
  classlessRoutes: 121,
} as const;

/** The address belongs to the guest for as long as the Pod lives; 999 days stand for that. */
export const LEASE_SECONDS = 86_400 * 999;
/** The packet has one frame for everything; what comes first is searched first, so the rest is left out. */
const MAX_SEARCH_BYTES = 512;
const PRIVATE_OPTIONS = { from: 224, to: 254 };

/** Built once a configuration: whatever the guest asks, this part of the answer is the same. */
const built = new WeakMap<DhcpConfig, ReadonlyMap<number, Uint8Array>>();

/** Options that describe the network, in the order in which they are sent. */
export function configOptions(config: DhcpConfig): ReadonlyMap<number, Uint8Array> {
  const known = built.get(config);
  if (known !== undefined) return known;
  const options = buildOptions(config);
  built.set(config, options);
  return options;
}

function buildOptions(config: DhcpConfig): ReadonlyMap<number, Uint8Array> {
  const options = new Map<number, Uint8Array>();
  const prefixLength = Number(config.clientCidr.split('/')[1]);
  options.set(OPTION.subnetMask, uint32(ipv4Mask(prefixLength)));
  if (config.router !== undefined) options.set(OPTION.router, addresses([config.router]));
  if (config.dnsServers.length > 0) options.set(OPTION.dns, addresses(config.dnsServers));
  const routes = classlessRoutes(config);
  if (routes.length > 0) options.set(OPTION.classlessRoutes, Uint8Array.from(routes));
  options.set(OPTION.mtu, Uint8Array.of(config.mtu >> 8, config.mtu & 0xff));
  if (config.hostname !== '') options.set(OPTION.hostname, text(config.hostname));
  // The most specific domain is the one that the guest is in.
  const domain = config.searchDomains.toSorted((a, b) => b.length - a.length)[0];
  if (domain !== undefined) {
    options.set(OPTION.domainName, text(domain));
    options.set(OPTION.domainSearch, Uint8Array.from(domainNames(config.searchDomains, MAX_SEARCH_BYTES)));
  }
  const extra = config.options;
  if (extra?.tftpServerName) options.set(OPTION.tftpServer, text(extra.tftpServerName));
  if (extra?.bootFileName) options.set(OPTION.bootFile, text(extra.bootFileName));
  if (extra?.ntpServers !== undefined && extra.ntpServers.length > 0)
    options.set(OPTION.ntp, addresses(extra.ntpServers));
  for (const { option, value } of extra?.privateOptions ?? [])
    if (option >= PRIVATE_OPTIONS.from && option <= PRIVATE_OPTIONS.to) options.set(option, text(value));
  return options;
}

/**
 * Option 121. A client that gets it ignores the router option (RFC 3442), so the default route is repeated
 * in it, last; without further routes the option is not sent at all.
 */
function classlessRoutes(config: DhcpConfig): number[] {
  const routes = config.routes ?? [];
  if (routes.length === 0) return [];
  const all = [
    ...routes.filter((r) => r.destination !== 'default'),
    ...(config.router === undefined ? [] : [{ destination: '0.0.0.0/0', gateway: config.router }]),
  ];
  return all.flatMap(({ destination, gateway }) => {
    const [base = '', length = '32'] = destination.split('/');
    const significant = Math.ceil(Number(length) / 8);
    return [
      Number(length),
      ...uint32(parseIpv4(base)).subarray(0, significant),
      ...uint32(parseIpv4(gateway)),
    ];
  });
}

function addresses(list: readonly string[]): Uint8Array {
  return Uint8Array.from(list.flatMap((address) => [...uint32(parseIpv4(address))]));
}

export function uint32(value: number): Uint8Array {
  return Uint8Array.of((value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}
