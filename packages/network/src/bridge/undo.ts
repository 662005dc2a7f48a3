/** Gives the Pod its NIC back: name, MAC address, address and routes as they were. */
import type { Action, Observed } from '../binding.ts';
import { removePrivateTalk } from './private-talk.ts';
import { bridgeName, movedInterfaceName, tapName } from '../names.ts';
import type { PodNic } from '../pod-nic.ts';

/** What other interfaces of the guest still need. */
export interface StillUsed {
  /** Another NIC of the Pod has taken over the guest's TAP. */
  readonly tap?: boolean;
  /** There are other bridges, on which only the guest may answer. */
  readonly arpIgnore?: boolean;
}

/** Pure: steps back to the namespace that `nic` describes, from wherever a plan stopped. */
export function undoBridge(nic: PodNic, observed: Observed, used: StillUsed = {}): readonly Action[] {
  const exists = (name: string): boolean => observed.links.some((l) => l.ifname === name);
  const moved = movedInterfaceName(nic.name);
  const isMoved = exists(moved);
  const devices = [...(used.tap === true ? [] : [tapName(nic.name)]), bridgeName(nic.name)].filter(exists);
  const commands = devices.map((name) => `link del dev ${name}`);
  if (isMoved) {
    if (exists(nic.name)) commands.push(`link del dev ${nic.name}`);
    commands.push(`link set dev ${moved} down`, `link set dev ${moved} name ${nic.name}`);
    commands.push(`link set dev ${nic.name} address ${nic.mac}`);
  }
  if (nic.ipv4 !== undefined)
    commands.push(`addr replace ${nic.ipv4.address}/${nic.ipv4.prefixLength} dev ${nic.name}`);
  if (nic.ipv6 !== undefined)
    commands.push(`addr replace ${nic.ipv6.address}/${nic.ipv6.prefixLength} dev ${nic.name} nodad`);
  commands.push(`link set dev ${nic.name} up`);
  // Routes without a gateway first: the others are reached through them.
  const routes6 = (nic.routes6 ?? []).map((route) =>
    route.destination === 'default' ? { ...route, destination: '::/0' } : route,
  );
  for (const route of [...nic.routes, ...routes6].toSorted(
    (a, b) => Number(a.gateway !== undefined) - Number(b.gateway !== undefined),
  ))
    commands.push(
      `route replace ${route.destination}${route.gateway === undefined ? '' : ` via ${route.gateway}`} dev ${nic.name}`,
    );
  return [
    // A table without its devices hinders nobody, so the devices go first.
    { kind: 'ip', commands },
    ...(nic.ipv4 === undefined && nic.ipv6 === undefined
      ? []
      : [{ kind: 'nft' as const, script: removePrivateTalk(bridgeName(nic.name)), optional: true }]),
    ...(used.arpIgnore === true
      ? []
      : [{ kind: 'sysctl' as const, settings: { 'net.ipv4.conf.all.arp_ignore': '0' } }]),
  ];
}
