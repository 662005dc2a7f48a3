/**
 * IPv6 of a bridged guest. It has the Pod's address, by DHCPv6; but Pod networks have no router that speaks, so the
 * bridge in the Pod is one: it advertises itself to the guest alone and passes on to the Pod's gateway. Pure.
 */
import type { InterfaceAttachment } from '@podvisor/api';
import { addressIn } from '../address.ts';
import type { BindingSpec } from '../binding.ts';
import { linkLocalOf } from '../mac.ts';
import type { PodNic } from '../pod-nic.ts';

export interface BridgeIpv6 {
  readonly spec: BindingSpec;
  readonly nic: PodNic & { readonly ipv6: NonNullable<PodNic['ipv6']> };
  readonly bridge: string;
  /** MAC address of the bridge; follows from the guest's, so that its router is the same wherever it runs. */
  readonly bridgeMac: string;
  /** The Pod's own NIC, as it is called now. */
  readonly moved: string;
  readonly tap: string;
}

/** Commands for the bridge as a router; after it is up. */
export function routerCommands({ nic, bridge, bridgeMac }: BridgeIpv6): readonly string[] {
  const routes = (nic.routes6 ?? []).map(({ destination, gateway }) => {
    const to = destination === 'default' ? '::/0' : destination;
    return `route replace ${to}${gateway === undefined ? '' : ` via ${gateway}`} dev ${bridge}${gateway === undefined ? '' : ' onlink'}`;
  });
  const { address, prefixLength } = nic.ipv6;
  return [
    `addr replace ${linkLocalOf(bridgeMac)}/64 dev ${bridge} scope link nodad`,
    `route replace ${addressIn(`${address}/${prefixLength}`, 0).address}/${prefixLength} dev ${bridge}`,
    ...routes,
  ];
}

/** What the guest is told. */
export function ipv6Facts({
  spec: { guest },
  nic,
  bridgeMac,
}: BridgeIpv6): Pick<InterfaceAttachment, 'dhcp6' | 'routerAdvertisement'> {
  const { address, prefixLength } = nic.ipv6;
  const { hostname, searchDomains, dnsServers6: dnsServers = [] } = guest;
  return {
    dhcp6: { clientAddress: address, serverMac: bridgeMac, dnsServers, searchDomains, hostname },
    routerAdvertisement: {
      prefix: `${addressIn(`${address}/${prefixLength}`, 0).address}/${prefixLength}`,
      // The Pod network knows one address of this Pod; others would not be answered.
      isAutonomous: false,
      routerMac: bridgeMac,
      mtu: nic.mtu,
      dnsServers,
      searchDomains,
    },
  };
}
