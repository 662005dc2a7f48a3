/**
 * Where addresses live that have left the node whose range they are from: a VM that migrates keeps its Pod's
 * address. Pure. Two Pods share an address while a migration runs; the one whose guest runs has it.
 */
import { annotations, type Pod } from '@podvisor/api';
import type { InstanceNode } from '@podvisor/sys';
import { isInCidr } from './cidr.ts';

/** An address that is on another node than its range. */
export interface MovedAddress {
  readonly address: string;
  /** Node from whose range it was given. */
  readonly home: string;
  /** Node where it is now. */
  readonly node: string;
}

type Node = Pick<InstanceNode, 'name' | 'podCidr'>;

/** Every moved address, by address. */
export function movedAddresses(
  pods: readonly Pod[],
  nodes: readonly Node[],
): ReadonlyMap<string, MovedAddress> {
  const moved = new Map<string, MovedAddress>();
  for (const [address, sharing] of byAddress(pods)) {
    const home = nodes.find(({ podCidr }) => isInCidr(address, podCidr))?.name;
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

/** IPv4 addresses of Pods that have one of their own and have not ended. */
function byAddress(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const all = new Map<string, Pod[]>();
  for (const pod of pods) {
    const address = pod.status?.podIP;
    const ended = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
    if (address === undefined || address === '' || ended || pod.spec.hostNetwork === true) continue;
    all.set(address, [...(all.get(address) ?? []), pod]);
  }
  return all;
}

/** Routes that one network must have for the moved addresses; `undefined` as name: the machine beside its nodes. */
export function routesFor(
  network: { readonly nodeName: string | undefined; readonly podBridge: string; readonly uplink: string },
  moved: Iterable<MovedAddress>,
  addressOf: (node: string) => string | undefined,
): readonly string[] {
  return [...moved].flatMap(({ address, node }) => {
    if (node === network.nodeName) return [`${address}/32 dev ${network.podBridge} scope link`];
    const via = addressOf(node);
    return via === undefined ? [] : [`${address}/32 via ${via} dev ${network.uplink}`];
  });
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
    const neighbours = pods.filter(
      ({ spec, status }) => spec.nodeName === home && status?.podIP !== undefined && status.podIP !== address,
    );
    const left = before.get(address)?.node ?? home;
    return [
      { node: left, addresses: [address] },
      { node, addresses: neighbours.map(({ status }) => status?.podIP ?? '') },
    ];
  });
}
