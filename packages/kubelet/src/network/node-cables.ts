/**
 * The network between nodes on one machine, decided. Pure. Each node is a namespace; a cable (veth) joins
 * it to the node bridge, where the machine has an address too. Nodes route each other's Pod ranges directly,
 * the machine routes all of them, and whatever leaves all ranges goes out through the machine.
 *
 *   node-1 eth0 ─┐
 *   node-2 eth0 ─┼─ node bridge (machine: way out, API server) ── world
 *   node-3 eth0 ─┘
 */
import { ipFamily, ipValue } from '@podvisor/base';
import {
  type InstanceConfig,
  type InstanceNode,
  nodeAddresses,
  type NodeNetwork,
  podCidrs,
} from '@podvisor/sys';

/** A node with a namespace of its own, and a cable. */
export interface CabledNode extends InstanceNode {
  readonly netns: string;
  readonly link: string;
}

/** What is on the machine now. */
export interface ObservedCables {
  /** Names of network devices of the machine. */
  readonly links: ReadonlySet<string>;
  /** Names of namespaces in /run/netns. */
  readonly namespaces: ReadonlySet<string>;
  /** Routes of the machine. */
  readonly routes: readonly { readonly dst: string; readonly gateway?: string; readonly dev: string }[];
  /** Nodes whose cable is unplugged on purpose. */
  readonly unplugged: ReadonlySet<string>;
}

/** What to do, in this order. Commands are those of `ip -batch`. */
export interface CablePlan {
  readonly removeNamespaces: readonly string[];
  readonly createNamespaces: readonly string[];
  readonly machine: readonly string[];
  readonly nodes: readonly { readonly netns: string; readonly commands: readonly string[] }[];
}

/** The nodes that have a namespace and a cable. */
export function cabledNodes(config: InstanceConfig): CabledNode[] {
  return config.nodes.flatMap((node) =>
    node.netns === undefined || node.link === undefined
      ? []
      : [{ ...node, netns: node.netns, link: node.link }],
  );
}

/** Brings the machine from any state, also a half-made one, to what the configuration says. */
export function planCables(config: InstanceConfig, observed: ObservedCables): CablePlan {
  const network = config.nodeNetwork;
  const nodes = cabledNodes(config);
  const stray = strays(config, observed);
  return {
    removeNamespaces: stray.namespaces,
    createNamespaces: nodes.map(({ netns }) => netns).filter((name) => !observed.namespaces.has(name)),
    machine: [
      ...stray.links.map((link) => `link del dev ${link}`),
      ...(network === undefined ? [] : machineCommands(network, nodes, observed)),
    ],
    nodes: network === undefined ? [] : nodes.map((node) => nodeCommands(network, node, nodes)),
  };
}

/** Namespaces and cables of nodes that the instance no longer has. */
export function strays(
  config: InstanceConfig,
  { namespaces, links }: Pick<ObservedCables, 'namespaces' | 'links'>,
): { readonly namespaces: readonly string[]; readonly links: readonly string[] } {
  const nodes = cabledNodes(config);
  const wanted = new Set(nodes.flatMap(({ netns, link }) => [netns, link]));
  const ours = (prefix: string) => (name: string) => name.startsWith(prefix) && !wanted.has(name);
  return {
    namespaces: [...namespaces].filter(ours(`${config.name}-node-`)),
    links: config.nodeNetwork === undefined ? [] : [...links].filter(ours(`${config.nodeNetwork.bridge}-`)),
  };
}

function machineCommands(
  network: NodeNetwork,
  nodes: readonly CabledNode[],
  { links, namespaces, routes, unplugged }: ObservedCables,
): string[] {
  const { bridge, address } = network;
  const cables = nodes.flatMap(({ name, link, netns }) => {
    const isWhole = links.has(link) && namespaces.has(netns);
    return [
      // A cable whose namespace is gone hangs in one that only some last process still holds.
      ...(links.has(link) && !isWhole ? [`link del dev ${link}`] : []),
      ...(isWhole ? [] : [`link add name ${link} type veth peer name eth0 netns ${netns}`]),
      `link set dev ${link} master ${bridge} ${unplugged.has(name) ? 'down' : 'up'}`,
    ];
  });
  return [
    ...(links.has(bridge) ? [] : [`link add name ${bridge} type bridge`]),
    // A bridge without an address of its own takes that of a port, and would change it with the nodes.
    `link set dev ${bridge} address ${hardwareAddress(address)} up`,
    ...addressCommands(network, network, bridge),
    ...cables,
    ...routes
      .filter(
        ({ dev, gateway }) =>
          dev === bridge &&
          gateway !== undefined &&
          !nodes.some((node) => nodeAddresses(node).includes(gateway)),
      )
      .map(({ dst }) => `route del ${dst} dev ${bridge}`),
    ...nodes.flatMap((node) => waysTo(node, bridge)),
  ];
}

function nodeCommands(
  network: NodeNetwork,
  node: CabledNode,
  nodes: readonly CabledNode[],
): CablePlan['nodes'][number] {
  return {
    netns: node.netns,
    commands: [
      'link set dev lo up',
      'link set dev eth0 up',
      ...addressCommands(node, network, 'eth0'),
      ...nodeAddresses(network).map(
        (address) => `route replace ${ipFamily(address) === 6 ? '::/0' : 'default'} via ${address} dev eth0`,
      ),
      ...nodes.filter((other) => other.name !== node.name).flatMap((other) => waysTo(other, 'eth0')),
    ],
  };
}

/** Addresses on the network between the nodes. */
function addressCommands(
  owner: Pick<InstanceNode, 'address' | 'address6'>,
  { cidr, cidr6 }: NodeNetwork,
  device: string,
): readonly string[] {
  return nodeAddresses(owner).map((address, i) => {
    const length = prefixLength((i === 0 ? cidr : cidr6) ?? cidr);
    return `addr replace ${address}/${length} dev ${device}${ipFamily(address) === 6 ? ' nodad' : ''}`;
  });
}

/** Routes to the Pods of a node, one a family. */
function waysTo(node: InstanceNode, device: string): readonly string[] {
  const addresses = nodeAddresses(node);
  return podCidrs(node).flatMap((range, i) =>
    addresses[i] === undefined ? [] : [`route replace ${range} via ${addresses[i]} dev ${device}`],
  );
}

function prefixLength(cidr: string): string {
  return cidr.split('/')[1] ?? '32';
}

/** Locally administered, and as unique as the network of the address. */
function hardwareAddress(address: string): string {
  const value = ipFamily(address) === 6 ? ipValue(address) >> 80n : ipValue(address);
  const hex = [24n, 16n, 8n, 0n].map((shift) => ((value >> shift) & 0xffn).toString(16).padStart(2, '0'));
  return ['02', '70', ...hex].join(':');
}
