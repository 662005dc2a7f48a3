/** How a new instance of the embedded home is set up. Pure: the same home and flags give the same plan. */
import type { InstanceConfig, InstanceNode } from '@podvisor/sys';

export interface InstanceFlags {
  readonly apiPort: number;
  /** IPv4 network of all Pods, a /16; each node gets a /24 of it. */
  readonly podCidr: string;
  readonly nodes: number;
}

export const DEFAULT_FLAGS: InstanceFlags = { apiPort: 6443, podCidr: '10.244.0.0/16', nodes: 1 };

/** Default home of the machine's main instance; others get names of their own. */
const MAIN_HOME = '/var/lib/podvisor';

export function planInstance(home: string, flags: InstanceFlags): InstanceConfig {
  const name = home === MAIN_HOME ? 'main' : `i${shortHash(home)}`;
  const prefix = podPrefix(flags.podCidr);
  if (flags.nodes !== 1)
    throw new Error(
      `--nodes ${flags.nodes}: several nodes on one machine are not available yet; use --nodes 1`,
    );
  const nodes: InstanceNode[] = Array.from({ length: flags.nodes }, (_, i) => ({
    name: `node-${i + 1}`,
    address: `${prefix}.${i}.1`,
    podCidr: `${prefix}.${i}.0/24`,
    handlerPort: flags.apiPort + 2 + i,
  }));
  return {
    name,
    apiPort: flags.apiPort,
    virtApiPort: flags.apiPort + 1,
    podCidr: flags.podCidr,
    bridge: `pv-${name}`,
    nodes,
  };
}

function podPrefix(cidr: string): string {
  const match = /^(\d{1,3}\.\d{1,3})\.0\.0\/16$/.exec(cidr);
  if (match === null || match[1]?.split('.').some((part) => Number(part) > 255))
    throw new Error(`--pod-cidr "${cidr}": expected an IPv4 /16 network such as 10.244.0.0/16`);
  return match[1] ?? '';
}

/** Six characters that tell homes apart (FNV-1a); interface names have room for 15 in all. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36).padStart(6, '0').slice(-6);
}
