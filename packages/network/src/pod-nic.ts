/**
 * The Pod's NIC as the network plugin left it. Bindings take addresses and routes away from it, so it is
 * described once, before anything is changed, and kept by the caller until the Pod is gone.
 */
import type { Link, Route } from '@podvisor/sys';

export interface PodAddress {
  readonly address: string;
  readonly prefixLength: number;
}

export interface PodRoute {
  /** `default` or a prefix. */
  readonly destination: string;
  readonly gateway?: string;
}

export interface PodNic {
  readonly name: string;
  readonly mac: string;
  readonly mtu: number;
  readonly ipv4?: PodAddress;
  /** Global IPv6 address. */
  readonly ipv6?: PodAddress;
  /** IPv4 routes through this NIC, without the one that its own address implies. */
  readonly routes: readonly PodRoute[];
  /** The same of IPv6. */
  readonly routes6?: readonly PodRoute[];
  /** `namespace/name` of the definition that a further NIC was plugged in by; undefined: not known. */
  readonly definition?: string;
}

/** Describes the NIC called `name`, or undefined when there is none. */
export function describePodNic(
  name: string,
  links: readonly Link[],
  routes: readonly Route[],
  routes6: readonly Route[] = [],
): PodNic | undefined {
  const link = links.find((l) => l.ifname === name);
  if (link === undefined) return undefined;
  const ipv4 = addressOf(link, 'inet');
  const ipv6 = addressOf(link, 'inet6');
  return {
    name,
    mac: link.address ?? '',
    mtu: link.mtu,
    ...(ipv4 === undefined ? {} : { ipv4 }),
    ...(ipv6 === undefined ? {} : { ipv6 }),
    routes: routesOf(name, routes),
    ...(ipv6 === undefined ? {} : { routes6: routesOf(name, routes6) }),
  };
}

function routesOf(name: string, routes: readonly Route[]): readonly PodRoute[] {
  return routes
    .filter((r) => r.dev === name && r.protocol !== 'kernel')
    .map((r) => ({ destination: r.dst, ...(r.gateway === undefined ? {} : { gateway: r.gateway }) }));
}

function addressOf(link: Link, family: 'inet' | 'inet6'): PodAddress | undefined {
  const found = link.addr_info.find((a) => a.family === family && a.scope === 'global');
  return found === undefined ? undefined : { address: found.local, prefixLength: found.prefixlen };
}

/** Gateway of the default route, if the NIC has one. */
export function defaultGateway(nic: PodNic): string | undefined {
  return nic.routes.find((r) => r.destination === 'default')?.gateway;
}
