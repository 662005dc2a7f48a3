/**
 * `status.interfaces` of a VMI: the domain says which NICs there are, the Pod which addresses reach them,
 * the guest agent what the guest made of them. Pure.
 */
import type { DomainInterface, Interface, InterfaceStatus, Network, VMISpec } from '@podvisor/api';
import { isPrimary, podInterfaceName } from './names.ts';
import type { PluggedNic } from './network-status.ts';

/** NICs that only the guest knows (bridges and tunnels inside it) are reported up to this number. */
const MAX_GUEST_ONLY = 10;

export interface InterfaceFacts {
  /** NICs of the domain, and of the guest as its agent shows them. */
  readonly domain: readonly DomainInterface[];
  /** Addresses of the Pod, the primary one first. */
  readonly podIps: readonly string[];
  /** The Pod's NIC of each interface, where that is known better than by the network's name. */
  readonly podNames?: ReadonlyMap<string, string>;
  /** The Pod's NICs of further networks, by name. */
  readonly podNics?: ReadonlyMap<string, PluggedNic>;
  /** Interfaces as reported before; what nobody can tell now (agent gone) stays as it was. */
  readonly previous?: readonly InterfaceStatus[];
}

/** The list to report; the primary interface first, then the spec's order, then guest-only NICs. */
export function interfaceStatus(spec: VMISpec, facts: InterfaceFacts): readonly InterfaceStatus[] {
  const networks = new Map((spec.networks ?? []).map((n) => [n.name, n]));
  // A NIC with a name is one of the domain; the launcher may have merged the guest's view into it.
  const inDomain = facts.domain.filter((d) => d.name !== undefined);
  const inGuest = new Map(
    facts.domain.filter((d) => d.source === 'guest-agent').map((d) => [d.mac.toLowerCase(), d]),
  );
  const known = (spec.domain.devices?.interfaces ?? []).flatMap((nic) => {
    const network = networks.get(nic.name);
    const domain = inDomain.find((d) => d.name === nic.name) ?? handedOver(nic, network, facts);
    if (domain === undefined || network === undefined) return [];
    const guest = inGuest.get(domain.mac.toLowerCase());
    inGuest.delete(domain.mac.toLowerCase());
    const previous = facts.previous?.find((p) => p.name === nic.name);
    return [
      {
        network,
        status: merge(network, nic.masquerade !== undefined, domain, guest, facts, previous),
      },
    ];
  });
  const primaryFirst = known.toSorted((a, b) => Number(isPrimary(b.network)) - Number(isPrimary(a.network)));
  const guestOnly = [...inGuest.values()].slice(0, MAX_GUEST_ONLY).map(guestOnlyStatus);
  return [...primaryFirst.map((k) => k.status), ...guestOnly];
}

/**
 * A device of the node that the guest has for itself is no interface of the domain: that the Pod has it is known from
 * Multus, and its MAC address from there or from the spec.
 */
function handedOver(
  nic: Interface,
  network: Network | undefined,
  { podNics, podNames }: InterfaceFacts,
): DomainInterface | undefined {
  if (nic.sriov === undefined || network === undefined || nic.state === 'absent') return undefined;
  const plugged = podNics?.get(podNames?.get(nic.name) ?? podInterfaceName(network));
  return plugged && { name: nic.name, mac: nic.macAddress || (plugged.mac ?? ''), source: 'domain' };
}

function merge(
  network: Network,
  isMasquerade: boolean,
  domain: DomainInterface,
  guest: DomainInterface | undefined,
  { podIps, podNics, podNames }: InterfaceFacts,
  previous: InterfaceStatus | undefined,
): InterfaceStatus {
  const podName = podNames?.get(network.name) ?? previous?.podInterfaceName ?? podInterfaceName(network);
  // A network without address management knows no addresses: the guest's are its own affair.
  const plugged = isPrimary(network) ? undefined : podNics?.get(podName)?.addresses;
  const assigned = plugged === undefined || plugged.length === 0 ? previous?.ipAddresses : plugged;
  // Behind masquerade the guest's own address means nothing outside: the Pod's is the one to use.
  const guestIps = isMasquerade ? undefined : reachable(guest?.ipAddresses);
  const ips = isPrimary(network) ? podFirst(guestIps ?? podIps, podIps) : (guestIps ?? assigned ?? []);
  const isPlugged = plugged !== undefined || wasPlugged(previous);
  const sources = [
    'domain',
    ...(guest === undefined ? [] : ['guest-agent']),
    ...(isPlugged ? ['multus-status'] : []),
  ];
  const guestName = guest?.guestInterfaceName ?? previous?.interfaceName;
  return {
    name: network.name,
    mac: domain.mac,
    ...(ips[0] === undefined ? {} : { ipAddress: ips[0], ipAddresses: ips }),
    ...(guestName === undefined ? {} : { interfaceName: guestName }),
    podInterfaceName: podName,
    infoSource: sources.join(', '),
    ...(domain.queueCount === undefined ? {} : { queueCount: domain.queueCount }),
    ...(domain.linkState === undefined ? {} : { linkState: domain.linkState }),
  };
}

/**
 * Addresses of the Pod, in its order, before those that the guest made up itself (by SLAAC, from what passt
 * advertises), at which nobody outside finds it.
 */
function podFirst(addresses: readonly string[], podIps: readonly string[]): readonly string[] {
  const rank = (address: string): number =>
    podIps.includes(address) ? podIps.indexOf(address) : podIps.length;
  return addresses.toSorted((a, b) => rank(a) - rank(b));
}

/** What was found out from the Pod's annotations stays in the list of sources. */
function wasPlugged(previous: InterfaceStatus | undefined): boolean {
  return previous?.infoSource?.split(/,\s*/).includes('multus-status') ?? false;
}

function guestOnlyStatus(guest: DomainInterface): InterfaceStatus {
  const ips = reachable(guest.ipAddresses);
  return {
    mac: guest.mac,
    ...(ips?.[0] === undefined ? {} : { ipAddress: ips[0], ipAddresses: ips }),
    ...(guest.guestInterfaceName === undefined ? {} : { interfaceName: guest.guestInterfaceName }),
    infoSource: 'guest-agent',
  };
}

/** Addresses without IPv6 link-local ones, or undefined when none is left. */
function reachable(addresses: readonly string[] | undefined): readonly string[] | undefined {
  const list = addresses?.filter((a) => !/^fe[89ab][0-9a-f]:/i.test(a)) ?? [];
  return list.length === 0 ? undefined : list;
}
