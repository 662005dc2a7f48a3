/**
 * Bridge: the guest takes the Pod's place on its network, with the Pod's address and, unless the spec names
 * one, the Pod's MAC address. The Pod's own NIC becomes a nameless port; a placeholder keeps its name and
 * address visible, for whoever asks the Pod what its address is.
 *
 * The placeholder is a bridge without ports, left down: kernels without the dummy module have bridges, and
 * a device that is down neither answers for the guest's address nor gets a route.
 */
import {
  BindingError,
  type BindingPlan,
  type BindingSpec,
  bridgeCommands,
  dhcpExtras,
  type Observed,
  tapCommands,
} from '../binding.ts';
import { ipv6Facts, routerCommands } from './ipv6.ts';
import { privateTalk } from './private-talk.ts';
import { substituteMac } from '../mac.ts';
import { bridgeName, movedInterfaceName, podInterfaceName, tapName } from '../names.ts';
import { defaultGateway, type PodNic } from '../pod-nic.ts';

/** Link-local address of the bridge, from which DHCP answers; one per interface. */
export function helperAddress(index: number): string {
  return `169.254.75.1${index}`;
}

/** Pure: what is missing for this interface. `nic` is the Pod's NIC as it was before anything changed. */
export function planBridge(spec: BindingSpec, nic: PodNic, observed: Observed): BindingPlan {
  const bridge = bridgeName(nic.name);
  // The guest keeps its TAP when another NIC of the Pod takes over.
  const tap = tapName(podInterfaceName(spec.network));
  const moved = movedInterfaceName(nic.name);
  const isMoved = observed.links.some((l) => l.ifname === moved);
  const hasPlaceholder = isMoved && observed.links.some((l) => l.ifname === nic.name);
  refuseDeafMacvlan(nic, moved, observed);
  const server = helperAddress(spec.index);
  const mac = spec.interface.macAddress || spec.knownMac || nic.mac;
  const bridgeMac = substituteMac(mac);
  const ipv6 =
    nic.ipv6 === undefined
      ? undefined
      : { spec, nic: { ...nic, ipv6: nic.ipv6 }, bridge, bridgeMac, moved, tap };

  const families = ([4, 6] as const).filter((family) => nic[`ipv${family}`] !== undefined);

  const commands = [
    ...(isMoved ? [] : [`link set dev ${nic.name} down`, `link set dev ${nic.name} name ${moved}`]),
    // The guest takes over the NIC's MAC address, so the NIC itself needs another one.
    `link set dev ${moved} address ${substituteMac(nic.mac)}`,
    `addr flush dev ${moved}`,
    ...(hasPlaceholder ? [] : [`link add name ${nic.name} address ${nic.mac} mtu ${nic.mtu} type bridge`]),
    ...(nic.ipv4 === undefined
      ? []
      : [`addr replace ${nic.ipv4.address}/${nic.ipv4.prefixLength} dev ${nic.name}`]),
    ...bridgeCommands(observed.links, bridge, `mtu ${nic.mtu} address ${bridgeMac}`),
    ...(ipv6 === undefined ? [] : [`link set dev ${bridge} addrgenmode none`]),
    `addr replace ${server}/32 dev ${bridge}`,
    `link set dev ${moved} mtu ${nic.mtu} master ${bridge}`,
    `link set dev ${moved} type bridge_slave learning off`,
    `link set dev ${moved} up`,
    `link set dev ${bridge} up`,
    ...tapCommands(observed.links, tap, bridge, nic.mtu, spec),
    ...(ipv6 === undefined ? [] : routerCommands(ipv6)),
  ];

  return {
    actions: [
      {
        kind: 'sysctl',
        settings: {
          // Only the guest answers for the Pod's address.
          'net.ipv4.conf.all.arp_ignore': '1',
          'net.ipv4.ip_unprivileged_port_start': '0',
        },
      },
      ...(families.length === 0 ? [] : [privateTalk({ bridge, moved, families })]),
      { kind: 'ip', commands },
      {
        kind: 'sysctl',
        settings:
          ipv6 === undefined
            ? // Otherwise the Pod's side of the bridge would take an address from router advertisements.
              { [`net.ipv6.conf.${bridge}.disable_ipv6`]: '1' }
            : { 'net.ipv6.conf.all.forwarding': '1' },
      },
    ],
    attachment: {
      name: spec.interface.name,
      binding: 'bridge',
      tapDevice: tap,
      bridge,
      podInterface: nic.name,
      mac,
      mtu: nic.mtu,
      queueCount: spec.queueCount,
      ...(nic.ipv4 === undefined ? {} : { dhcp: dhcpConfig(spec, nic, server) }),
      ...(ipv6 === undefined ? {} : ipv6Facts(ipv6)),
    },
  };
}

function dhcpConfig(
  spec: BindingSpec,
  nic: PodNic,
  server: string,
): NonNullable<BindingPlan['attachment']['dhcp']> {
  const router = defaultGateway(nic);
  const routes = nic.routes
    .filter((r) => r.destination !== 'default')
    .map((r) => ({ destination: r.destination, gateway: r.gateway ?? '0.0.0.0' }));
  return {
    clientCidr: `${nic.ipv4?.address}/${nic.ipv4?.prefixLength}`,
    serverAddress: server,
    ...(router === undefined ? {} : { router }),
    ...(routes.length === 0 ? {} : { routes }),
    dnsServers: spec.guest.dnsServers,
    searchDomains: spec.guest.searchDomains,
    hostname: spec.guest.hostname,
    mtu: nic.mtu,
    ...dhcpExtras(spec.interface.dhcpOptions),
  };
}

/** The guest's MAC address is not the NIC's: of a macvlan, only mode passthru takes frames for both. */
function refuseDeafMacvlan({ name }: PodNic, moved: string, { links }: Observed): void {
  const link = links.find(({ ifname }) => ifname === moved) ?? links.find(({ ifname }) => ifname === name);
  const { info_kind: kind, info_data: data } = link?.linkinfo ?? {};
  if (kind === 'macvlan' && data?.mode !== 'passthru')
    throw new BindingError(
      `the Pod's NIC ${name} is a macvlan in mode ${data?.mode ?? 'unknown'}, which takes no frames for a guest behind a bridge; use mode passthru, or a bridge network`,
    );
}
