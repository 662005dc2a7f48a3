/** How an instance of the embedded home is set up. Pure: the same home and flags give the same plan. */
import type { InstanceConfig, InstanceNode, NodeNetwork } from '@podvisor/sys';

export interface InstanceFlags {
  readonly apiPort: number;
  /**
   * IPv4 network of all Pods, a /16; each node gets a /24 of it, and the nodes among themselves the last.
   * With `,` and an IPv6 /64 behind it, Pods have both families (one node only).
   */
  readonly podCidr: string;
  readonly nodes: number;
}

export const DEFAULT_FLAGS: InstanceFlags = { apiPort: 6443, podCidr: '10.244.0.0/16', nodes: 1 };
export const MAX_NODES = 8;

/** Default home of the machine's main instance; others get names of their own. */
const MAIN_HOME = '/var/lib/podvisor';

/** One node is the machine itself; of several each has a network namespace of its own. */
export function planInstance(home: string, flags: InstanceFlags): InstanceConfig {
  const name = home === MAIN_HOME ? 'main' : `i${shortHash(home)}`;
  const [podCidr = '', podCidr6] = flags.podCidr.split(',');
  const prefix = podPrefix(podCidr);
  const ipv6 = podCidr6 === undefined ? {} : { podCidr6: checkedPrefix6(podCidr6, flags.nodes) };
  const empty: InstanceConfig = {
    name,
    apiPort: flags.apiPort,
    virtApiPort: flags.apiPort + 1,
    podCidr,
    ...ipv6,
    bridge: `pv-${name}`,
    nodes: [],
  };
  if (flags.nodes !== 1) return resizeInstance(empty, flags.nodes);
  const node = { name: 'node-1', address: `${prefix}.0.1`, podCidr: `${prefix}.0.0/24`, ...ipv6 };
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
  // A first node that is the machine itself is reached by the others at the machine's address.
  const reachable = kept.map((node) =>
    node.netns === undefined ? { ...node, address: nodeNetwork.address } : node,
  );
  return { ...config, nodeNetwork, nodes: [...reachable, ...added] };
}

function nodeNetworkOf({ name, podCidr }: InstanceConfig): NodeNetwork {
  const prefix = `${podPrefix(podCidr)}.255`;
  return { bridge: `pvn-${name}`, address: `${prefix}.1`, cidr: `${prefix}.0/24` };
}

function cabledNode(config: InstanceConfig, number: number): InstanceNode {
  const prefix = podPrefix(config.podCidr);
  return {
    name: `node-${number}`,
    address: `${prefix}.255.${10 + number}`,
    podCidr: `${prefix}.${number - 1}.0/24`,
    handlerPort: config.apiPort + 1 + number,
    netns: `${config.name}-node-${number}`,
    link: `pvn-${config.name}-${number}`,
  };
}

function podPrefix(cidr: string): string {
  const match = /^(\d{1,3}\.\d{1,3})\.0\.0\/16$/.exec(cidr);
  if (match === null || match[1]?.split('.').some((part) => Number(part) > 255))
    throw new Error(`--pod-cidr "${cidr}": expected an IPv4 /16 network such as 10.244.0.0/16`);
  return match[1] ?? '';
}

function checkedPrefix6(cidr: string, nodes: number): string {
  if (!/^[0-9a-f:]+::\/64$/i.test(cidr))
    throw new Error(`--pod-cidr "${cidr}": expected an IPv6 /64 network such as fd00:244::/64`);
  if (nodes !== 1) throw new Error('--pod-cidr with IPv6 works with one node only so far');
  return cidr;
}

/** The flag that gives this instance. */
export function podCidrFlag({ podCidr, podCidr6 }: Pick<InstanceConfig, 'podCidr' | 'podCidr6'>): string {
  return podCidr6 === undefined ? podCidr : `${podCidr},${podCidr6}`;
}

/** Six characters that tell homes apart (FNV-1a); interface names have room for 15 in all. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36).padStart(6, '0').slice(-6);
}
