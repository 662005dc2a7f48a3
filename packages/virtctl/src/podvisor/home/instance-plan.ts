/** How an instance of the embedded home is set up. Pure: the same home and flags give the same plan. */
import { addressIn, ipFamily } from '@podvisor/base';
import { type InstanceConfig, type InstanceNode, type NodeNetwork, podCidrs } from '@podvisor/sys';

export interface InstanceFlags {
  readonly apiPort: number;
  /**
   * Network of all Pods: an IPv4 /16, an IPv6 /64, or both with a comma between, IPv4 first. Each node gets a /24 (or
   * a /80) of it, and the nodes among themselves the last.
   */
  readonly podCidr: string;
  readonly nodes: number;
  /** Nothing of KubeVirt's is started or installed. */
  readonly bare?: boolean;
}

export const DEFAULT_FLAGS: InstanceFlags = { apiPort: 6443, podCidr: '10.244.0.0/16', nodes: 1 };
export const MAX_NODES = 8;

/** Default home of the machine's main instance; others get names of their own. */
const MAIN_HOME = '/var/lib/podvisor';

/** The longest path of a socket that somebody else connects to by name; the kernel takes 107 characters (unix(7)). */
const LONGEST_SOCKET = '/nodes/node-8/kubelet/device-plugins/kubevirt-vhost-vsock.sock';
const MAX_SOCKET_CHARACTERS = 107;

/** One node is the machine itself; of several each has a network namespace of its own. */
export function planInstance(home: string, flags: InstanceFlags): InstanceConfig {
  const room = MAX_SOCKET_CHARACTERS - LONGEST_SOCKET.length;
  if (home.length > room)
    throw new Error(
      `the path of this home has ${home.length} characters, and the sockets in it leave room for ${room}; choose a shorter PODVISOR_HOME`,
    );
  const name = home === MAIN_HOME ? 'main' : `i${shortHash(home)}`;
  const empty: InstanceConfig = {
    name,
    apiPort: flags.apiPort,
    virtApiPort: flags.apiPort + 1,
    ...checkedCidrs(flags.podCidr),
    bridge: `pv-${name}`,
    nodes: [],
    ...(flags.bare === true ? { bare: true } : {}),
  };
  if (flags.nodes !== 1) return resizeInstance(empty, flags.nodes);
  const [first, second] = podCidrs(empty).map((cidr) => rangesOf(cidr).pods(1));
  const node = {
    name: 'node-1',
    ...addresses((cidr) => addressIn(rangesOf(cidr).pods(1), 1).address, empty),
    podCidr: first ?? '',
    ...(second === undefined ? {} : { podCidr6: second }),
  };
  return { ...empty, nodes: [{ ...node, handlerPort: flags.apiPort + 2 }] };
}

/** The instance with `count` nodes: the first ones stay as they are, new ones get namespaces of their own. */
export function resizeInstance(config: InstanceConfig, count: number): InstanceConfig {
  if (count < 1 || count > MAX_NODES)
    throw new Error(`--nodes ${count}: one machine can be 1 to ${MAX_NODES} nodes`);
  if (count === config.nodes.length) return config;
  const kept = config.nodes.slice(0, count);
  const added = Array.from({ length: count - kept.length }, (_, i) =>
    cabledNode(config, kept.length + i + 1),
  );
  if (added.length === 0) return { ...config, nodes: kept };
  const nodeNetwork = config.nodeNetwork ?? nodeNetworkOf(config);
  const { address, address6 } = nodeNetwork;
  // A first node that is the machine itself is reached by the others at the machine's address.
  const reachable = kept.map((node) =>
    node.netns === undefined ? { ...node, address, ...(address6 === undefined ? {} : { address6 }) } : node,
  );
  return { ...config, nodeNetwork, nodes: [...reachable, ...added] };
}

function nodeNetworkOf(config: InstanceConfig): NodeNetwork {
  const [cidr = '', cidr6] = podCidrs(config).map((range) => rangesOf(range).nodes);
  return {
    bridge: `pvn-${config.name}`,
    ...addresses((range) => addressIn(rangesOf(range).nodes, 1).address, config),
    cidr,
    ...(cidr6 === undefined ? {} : { cidr6 }),
  };
}

function cabledNode(config: InstanceConfig, number: number): InstanceNode {
  const [podCidr = '', podCidr6] = podCidrs(config).map((range) => rangesOf(range).pods(number));
  return {
    name: `node-${number}`,
    ...addresses((range) => addressIn(rangesOf(range).nodes, 10 + number).address, config),
    podCidr,
    ...(podCidr6 === undefined ? {} : { podCidr6 }),
    handlerPort: config.apiPort + 1 + number,
    netns: `${config.name}-node-${number}`,
    link: `pvn-${config.name}-${number}`,
  };
}

/** An address of each family that the instance has. */
function addresses(
  of: (cidr: string) => string,
  config: InstanceConfig,
): Pick<InstanceNode, 'address' | 'address6'> {
  const [address = '', address6] = podCidrs(config).map(of);
  return { address, ...(address6 === undefined ? {} : { address6 }) };
}

interface Ranges {
  /** Pods of the node with this number, from 1. */
  pods(number: number): string;
  /** The nodes among themselves. */
  readonly nodes: string;
}

/** How a network is divided: the third number of an IPv4 address, the fifth of an IPv6 address, says whose it is. */
function rangesOf(cidr: string): Ranges {
  const part = (index: number): string =>
    ipFamily(cidr) === 6
      ? `${addressIn(cidr, BigInt(index) << 48n).address}/80`
      : `${addressIn(cidr, index * 256).address}/24`;
  return { pods: (number) => part(number - 1), nodes: part(ipFamily(cidr) === 6 ? 0xffff : 255) };
}

function checkedCidrs(text: string): Pick<InstanceConfig, 'podCidr' | 'podCidr6'> {
  const [first = '', second, ...more] = text.split(',');
  const isIpv4 = ipFamily(first) === 4;
  if (more.length > 0 || (second !== undefined && (!isIpv4 || ipFamily(second) !== 6)))
    throw new Error(`--pod-cidr "${text}": expected one network, or an IPv4 and an IPv6 one`);
  const podCidr = isIpv4 || !first.includes(':') ? checked(first, 16) : checked(first, 64);
  return { podCidr, ...(second === undefined ? {} : { podCidr6: checked(second, 64) }) };
}

function checked(cidr: string, length: 16 | 64): string {
  const isWhole =
    ipFamily(cidr) === (length === 16 ? 4 : 6) &&
    cidr.endsWith(`/${length}`) &&
    addressIn(cidr, 0).address === cidr.split('/')[0];
  if (isWhole) return cidr;
  const example =
    length === 16 ? 'an IPv4 /16 network such as 10.244.0.0/16' : 'an IPv6 /64 network such as fd00:244::/64';
  throw new Error(`--pod-cidr "${cidr}": expected ${example}`);
}

/** The flag that gives this instance. */
export function podCidrFlag({ podCidr, podCidr6 }: Pick<InstanceConfig, 'podCidr' | 'podCidr6'>): string {
  return podCidr6 === undefined ? podCidr : `${podCidr},${podCidr6}`;
}

/** What `--launcher-image` is given to run VMs from programs of the machine again. */
const EMBEDDED = 'embedded';

/** The instance with another launcher image; the same instance when nothing is given or nothing changes. */
export function withLauncherImage(config: InstanceConfig, image: string | undefined): InstanceConfig {
  if (image === undefined || image === (config.launcherImage ?? EMBEDDED)) return config;
  const { launcherImage: _, ...others } = config;
  return image === EMBEDDED ? others : { ...others, launcherImage: image };
}

/** Six characters that tell homes apart (FNV-1a); interface names have room for 15 in all. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36).padStart(6, '0').slice(-6);
}
