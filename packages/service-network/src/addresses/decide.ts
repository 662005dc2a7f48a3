/**
 * Where addresses live that have left the node whose range they are from: a VM that migrates keeps its Pod's
 * address. Pure. Two Pods share an address while a migration runs; the one whose guest runs has it.
 */
import { annotations, type Pod } from '@podvisor/api';
import { hostPrefix, ipFamily, isInPrefix } from '@podvisor/base';
import { type InstanceNode, podCidrs } from '@podvisor/sys';

/** An address that is on another node than its range. */
export interface MovedAddress {
  readonly address: string;
  /** Node from whose range it was given. */
  readonly home: string;
  /** Node where it is now. */
  readonly node: string;
}

type Node = Pick<InstanceNode, 'name' | 'podCidr' | 'podCidr6'>;

/** Every moved address, by address. */
export function movedAddresses(
  pods: readonly Pod[],
  nodes: readonly Node[],
): ReadonlyMap<string, MovedAddress> {
  const moved = new Map<string, MovedAddress>();
  for (const [address, sharing] of byAddress(pods)) {
    const home = nodes.find((node) => podCidrs(node).some((cidr) => isInPrefix(address, cidr)))?.name;
    const node = holderOf(sharing)?.spec.nodeName;
    if (home !== undefined && node !== undefined && node !== home)
      moved.set(address, { address, home, node });
  }
  return moved;
}

/** The Pod whose guest was last heard to run; before any hand-over, the first one. */
function holderOf(sharing: readonly Pod[]): Pod | undefined {
  const rank = ({ metadata }: Pod): readonly [handedOver: string, created: string] => [
    metadata.annotations?.[annotations.migrationTargetReadyTimestamp] ?? '',
    metadata.creationTimestamp ?? '',
  ];
  return sharing.toSorted((a, b) => {
    const [handedA, createdA] = rank(a);
    const [handedB, createdB] = rank(b);
    return handedB.localeCompare(handedA) || createdA.localeCompare(createdB);
  })[0];
}

/** Addresses of Pods that have some of their own and have not ended. */
function byAddress(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const all = new Map<string, Pod[]>();
  for (const pod of pods) {
    const ended = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
    if (ended || pod.spec.hostNetwork === true) continue;
    for (const address of addressesOf(pod)) all.set(address, [...(all.get(address) ?? []), pod]);
  }
  return all;
}

function addressesOf({ status }: Pod): readonly string[] {
  const all = status?.podIPs?.map(({ ip }) => ip) ?? [status?.podIP ?? ''];
  return all.filter((address) => address !== '');
}

/** Routes that one network must have for the moved addresses; `undefined` as name: the machine beside its nodes. */
export function routesFor(
  network: { readonly nodeName: string | undefined; readonly podBridge: string; readonly uplink: string },
  moved: Iterable<MovedAddress>,
  addressesOfNode: (node: string) => readonly string[],
): readonly string[] {
  return [...moved].flatMap(({ address, node }) => {
    const scope = ipFamily(address) === 6 ? '' : ' scope link';
    if (node === network.nodeName) return [`${hostPrefix(address)} dev ${network.podBridge}${scope}`];
    const via = addressesOfNode(node).find((candidate) => ipFamily(candidate) === ipFamily(address));
    return via === undefined ? [] : [`${hostPrefix(address)} via ${via} dev ${network.uplink}`];
  });
}

/**
 * IPv6 addresses for which the bridge of a node answers, because they are of its range and elsewhere. (For IPv4 it
 * answers for all that is behind other nodes.)
 */
export function proxiedFor(nodeName: string | undefined, moved: Iterable<MovedAddress>): readonly string[] {
  return [...moved].flatMap(({ address, home, node }) =>
    ipFamily(address) === 6 && home === nodeName && node !== nodeName ? [address] : [],
  );
}

/** Addresses that are somewhere else than before, at home included. */
export function changedAddresses(
  before: ReadonlyMap<string, MovedAddress>,
  after: ReadonlyMap<string, MovedAddress>,
): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (address) => before.get(address)?.node !== after.get(address)?.node,
  );
}

/** What neighbours must be told after a hand-over: at this node's gateway are these addresses now. */
export interface Announcement {
  readonly node: string;
  readonly addresses: readonly string[];
}

/**
 * Whoever was on one cable with the guest remembers its hardware address, and the guest remembers theirs; both
 * now meet through the gateway, whose hardware address is the same on every node.
 */
export function announcements(
  before: ReadonlyMap<string, MovedAddress>,
  after: ReadonlyMap<string, MovedAddress>,
  pods: readonly Pod[],
): readonly Announcement[] {
  return [...after.values()].flatMap(({ address, home, node }) => {
    if (before.get(address)?.node === node) return [];
    // IPv6 guests have no neighbours on the new node: everything goes through the gateway.
    const neighbours =
      ipFamily(address) === 6
        ? []
        : pods
            .filter(({ spec }) => spec.nodeName === home)
            .flatMap(addressesOf)
            .filter((other) => other !== address && ipFamily(other) === 4);
    const left = before.get(address)?.node ?? home;
    return [
      { node: left, addresses: [address] },
      { node, addresses: neighbours },
    ];
  });
}
