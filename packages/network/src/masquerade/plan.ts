/**
 * Masquerade: the guest lives in a small network of its own behind the Pod's address. Every guest of this
 * binding sees the same addresses, which is what lets it migrate.
 */
import { addressIn } from '../address.ts';
import {
  type Action,
  type BindingPlan,
  type BindingSpec,
  bridgeCommands,
  dhcpExtras,
  type Observed,
  tapCommands,
} from '../binding.ts';
import { bridgeName, tapName } from '../names.ts';
import type { PodNic } from '../pod-nic.ts';
import { hasNatRules, type NatRules, natScript } from './rules.ts';

const DEFAULT_CIDR = '10.0.2.0/24';
const DEFAULT_IPV6_CIDR = 'fd10:0:2::/120';
/** Fixed, so that a migrated guest finds its gateway under the same addresses. */
const ROUTER_LINK_LOCAL = 'fe80::1';
const GATEWAY_MAC = '02:00:00:00:00:00';

/** KubeVirt reads `10.10.010.0/24` as 10.10.10.0/24: admission lets it through, so the guest must start with it. */
function withoutLeadingZeros(ipv4Cidr: string): string {
  return ipv4Cidr.replaceAll(/(^|\.)0+(?=\d)/g, '$1');
}

/** Pure: what is missing in the Pod's namespace for this interface. An empty plan means that all is there. */
export function planMasquerade(spec: BindingSpec, nic: PodNic, observed: Observed): BindingPlan {
  const bridge = bridgeName(nic.name);
  const tap = tapName(nic.name);
  const cidr = withoutLeadingZeros(spec.network.pod?.vmNetworkCIDR || DEFAULT_CIDR);
  const gateway = addressIn(cidr, 1);
  const guest = addressIn(cidr, 2);
  const ipv6Cidr = spec.network.pod?.vmIPv6NetworkCIDR || DEFAULT_IPV6_CIDR;
  const gateway6 = nic.ipv6 === undefined ? undefined : addressIn(ipv6Cidr, 1);
  const guest6 = addressIn(ipv6Cidr, 2);
  const nat = {
    podInterface: nic.name,
    bridge,
    ports: spec.interface.ports ?? [],
    portRanges: spec.interface.portRanges ?? [],
  };

  const actions: Action[] = [
    {
      kind: 'ip',
      commands: [
        ...bridgeCommands(observed.links, bridge, `mtu ${nic.mtu} address ${GATEWAY_MAC}`),
        ...(nic.ipv4 === undefined
          ? []
          : [`addr replace ${gateway.address}/${gateway.prefixLength} dev ${bridge}`]),
        ...(gateway6 === undefined
          ? []
          : [
              // One link-local address, known beforehand and usable at once: the router that the guest sees.
              `link set dev ${bridge} addrgenmode none`,
              `addr replace ${ROUTER_LINK_LOCAL}/64 dev ${bridge} scope link nodad`,
              `addr replace ${gateway6.address}/${gateway6.prefixLength} dev ${bridge} nodad`,
            ]),
        `link set dev ${bridge} up`,
        ...tapCommands(observed.links, tap, bridge, nic.mtu, spec),
      ],
    },
    {
      kind: 'sysctl',
      settings: {
        'net.ipv4.ip_forward': '1',
        // Loopback traffic of the Pod may reach the guest; only on this bridge, never on the Pod's NIC.
        [`net.ipv4.conf.${bridge}.route_localnet`]: '1',
        'net.ipv4.ip_unprivileged_port_start': '0',
        ...(gateway6 === undefined ? {} : { 'net.ipv6.conf.all.forwarding': '1' }),
      },
    },
  ];
  // Both families in one transaction.
  const scripts = [
    ...(nic.ipv4 !== undefined && !hasNatRules(observed.natTables.ip)
      ? [
          natScript({
            ...nat,
            ...mesh(spec, nic.ipv4.address),
            family: 'ip',
            guestAddress: guest.address,
            gatewayAddress: gateway.address,
          }),
        ]
      : []),
    ...(gateway6 !== undefined && !hasNatRules(observed.natTables.ip6)
      ? [
          natScript({
            ...nat,
            ...mesh(spec, nic.ipv6?.address),
            family: 'ip6',
            guestAddress: guest6.address,
            gatewayAddress: gateway6.address,
          }),
        ]
      : []),
  ];
  if (scripts.length > 0) actions.push({ kind: 'nft', script: scripts.join('') });

  return {
    actions,
    attachment: {
      name: spec.interface.name,
      binding: 'masquerade',
      tapDevice: tap,
      bridge,
      podInterface: nic.name,
      mac: spec.interface.macAddress || spec.knownMac || nic.mac,
      mtu: nic.mtu,
      queueCount: spec.queueCount,
      ...(nic.ipv4 === undefined ? {} : { dhcp: dhcpConfig(spec, nic, cidr) }),
      ...(gateway6 === undefined ? {} : ipv6Facts(spec, nic, ipv6Cidr)),
    },
  };
}

function mesh({ hasMeshProxy }: BindingSpec, podAddress: string | undefined): Pick<NatRules, 'mesh'> {
  return hasMeshProxy === true && podAddress !== undefined ? { mesh: { podAddress } } : {};
}

type Attachment = BindingPlan['attachment'];

function dhcpConfig(spec: BindingSpec, nic: PodNic, cidr: string): NonNullable<Attachment['dhcp']> {
  const gateway = addressIn(cidr, 1);
  const guest = addressIn(cidr, 2);
  return {
    clientCidr: `${guest.address}/${guest.prefixLength}`,
    serverAddress: gateway.address,
    router: gateway.address,
    dnsServers: spec.guest.dnsServers,
    searchDomains: spec.guest.searchDomains,
    hostname: spec.guest.hostname,
    mtu: nic.mtu,
    ...dhcpExtras(spec.interface.dhcpOptions),
  };
}

/** The address comes by DHCPv6; the way out, which DHCPv6 cannot tell, by router advertisements. */
function ipv6Facts(
  { guest }: BindingSpec,
  nic: PodNic,
  cidr: string,
): Pick<Attachment, 'dhcp6' | 'routerAdvertisement'> {
  const { address: network, prefixLength } = addressIn(cidr, 0);
  const { hostname, searchDomains, dnsServers6: dnsServers = [] } = guest;
  return {
    dhcp6: {
      clientAddress: addressIn(cidr, 2).address,
      serverMac: GATEWAY_MAC,
      dnsServers,
      searchDomains,
      hostname,
    },
    routerAdvertisement: {
      prefix: `${network}/${prefixLength}`,
      routerMac: GATEWAY_MAC,
      mtu: nic.mtu,
      dnsServers,
      searchDomains,
    },
  };
}
