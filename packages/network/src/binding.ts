/** What a binding is asked to make, what it sees, and what it decides. All plain data. */
import type { DHCPOptions, Interface, InterfaceAttachment, Network } from '@podvisor/api';
import type { Link, Route } from '@podvisor/sys';

/** User and group that QEMU runs as in the launcher Pod; the TAP belongs to them. */
export const QEMU_UID = 107;

/** One interface of the VMI with its network. */
export interface BindingSpec {
  readonly interface: Interface;
  readonly network: Network;
  /** Position in the spec; keeps helper addresses of several bridges apart. */
  readonly index: number;
  /** Receive and transmit queue pairs; 1 unless multiqueue is asked for. */
  readonly queueCount: number;
  /** MAC address that the guest already has (it came from another Pod): it keeps it. */
  readonly knownMac?: string;
  /** A service mesh puts its proxy into the Pod (annotation `sidecar.istio.io/inject`). */
  readonly hasMeshProxy?: boolean;
  readonly guest: GuestNetworkFacts;
  /** QEMU's user and group as the node knows them; default 107, as in a Pod without a user namespace. */
  readonly user?: number;
}

/** What the guest is told besides its address. */
export interface GuestNetworkFacts {
  readonly hostname: string;
  /** IPv4 addresses. */
  readonly dnsServers: readonly string[];
  /** IPv6 addresses. */
  readonly dnsServers6?: readonly string[];
  readonly searchDomains: readonly string[];
}

/** The namespace as it is now. */
export interface Observed {
  readonly links: readonly Link[];
  /** IPv4 routes of the main table. */
  readonly routes: readonly Route[];
  readonly routes6?: readonly Route[];
  /** Text of table `ip nat` / `ip6 nat`, when there is one. */
  readonly natTables: { readonly ip?: string; readonly ip6?: string };
}

/** One step of a plan. Steps run in order; what is inside one step runs as a whole. */
export type Action =
  | { readonly kind: 'ip'; readonly commands: readonly string[] }
  | { readonly kind: 'sysctl'; readonly settings: Readonly<Record<string, string>> }
  /** `optional`: where the kernel cannot do it, the rest is done all the same. */
  | { readonly kind: 'nft'; readonly script: string; readonly optional?: boolean };

export interface BindingPlan {
  readonly actions: readonly Action[];
  readonly attachment: InterfaceAttachment;
}

/** Something is in the way that no plan may touch. */
export class BindingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BindingError';
  }
}

/** Commands for a TAP that QEMU's user may open, plugged into `bridge`. Repeating them changes nothing. */
export function tapCommands(
  links: readonly Link[],
  tap: string,
  bridge: string,
  mtu: number,
  { queueCount, user = QEMU_UID }: Pick<BindingSpec, 'queueCount' | 'user'>,
): readonly string[] {
  const existing = links.find((l) => l.ifname === tap);
  if (existing !== undefined && existing.linkinfo?.info_kind !== 'tun')
    throw new BindingError(`${tap} exists in the Pod and is not a TAP device`);
  const multi = queueCount > 1 ? ' multi_queue' : '';
  return [
    ...(existing === undefined
      ? [`tuntap add dev ${tap} mode tap user ${user} group ${user}${multi} vnet_hdr`]
      : []),
    `link set dev ${tap} mtu ${mtu} master ${bridge}`,
    `link set dev ${tap} up`,
  ];
}

/** Commands that make sure of a bridge. */
export function bridgeCommands(
  links: readonly Link[],
  bridge: string,
  attributes: string,
): readonly string[] {
  const existing = links.find((l) => l.ifname === bridge);
  if (existing !== undefined && existing.linkinfo?.info_kind !== 'bridge')
    throw new BindingError(`${bridge} exists in the Pod and is not a bridge`);
  return existing === undefined
    ? [`link add name ${bridge} ${attributes} type bridge stp_state 0 forward_delay 0`]
    : [];
}

/** DHCP options of the spec in the form the launcher gets. */
export function dhcpExtras(options: DHCPOptions | undefined): { readonly options?: DHCPOptions } {
  return options === undefined ? {} : { options };
}
