/** What Services need of the machine beside rules: two addresses that it answers at, and a way to the range. */
import { hostPrefix } from '@podvisor/base';
import { type InstanceConfig, ipBatch, netnsPath, podCidrs } from '@podvisor/sys';
import { loadBalancerRanges } from './load-balancer-range.ts';
import { serviceRanges } from './service-range.ts';

/** A network in which the service table is kept. */
export interface ServiceNetns {
  /** Path; undefined: the machine's own. */
  readonly path: string | undefined;
  /** The node that it is; undefined: the machine beside its nodes. */
  readonly nodeName: string | undefined;
  /** Networks of the node's Pods; none where no Pods are. */
  readonly podCidrs: readonly string[];
}

/** The machine's own network and that of each node with a namespace. */
export function serviceNetworks(config: InstanceConfig): ServiceNetns[] {
  const nodes = config.nodes.map((node) => ({
    path: node.netns === undefined || node.netns.startsWith('/') ? node.netns : netnsPath(node.netns),
    nodeName: node.name,
    podCidrs: podCidrs(node),
  }));
  if (nodes.some(({ path }) => path === undefined)) return nodes;
  return [{ path: undefined, nodeName: undefined, podCidrs: [] }, ...nodes];
}

/** The API server and DNS can listen at their service addresses afterwards. Idempotent. */
export async function setUpServiceAddresses(config: InstanceConfig): Promise<void> {
  await ipBatch(
    undefined,
    serviceRanges(config).flatMap(({ cidr, apiServer, dns, family }) => [
      `addr replace ${hostPrefix(apiServer)} dev lo`,
      `addr replace ${hostPrefix(dns)} dev lo`,
      // Programs of the machine need some way to the range before translation shows the true one.
      `route replace ${cidr} dev lo src ${apiServer}`,
      ...loadBalancerRanges(config)
        .filter((range) => range.family === family)
        .map((range) => `route replace ${range.cidr} dev lo src ${apiServer}`),
    ]),
  );
}
