/** What Services need of the machine beside rules: two addresses that it answers at, and a way to the range. */
import { existsSync } from 'node:fs';
import { hostPrefix } from '@podvisor/base';
import { type InstanceConfig, ipBatch, netnsPath, podCidrs, runInNetns } from '@podvisor/sys';
import { policyTable } from '../policies/ruleset.ts';
import { loadBalancerRanges } from './load-balancer-range.ts';
import { type ServiceRange, serviceRanges, serviceTable } from './service-range.ts';

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

/** Leaves no table, address or route of the instance. Idempotent. */
export async function removeServiceNetwork(config: InstanceConfig): Promise<void> {
  for (const { path } of serviceNetworks(config)) {
    if (path !== undefined && !existsSync(path)) continue;
    for (const family of ['ip', 'ip6'])
      await runInNetns(path, 'nft', ['delete', 'table', family, serviceTable(config.name)], {
        okCodes: [0, 1],
      });
    await runInNetns(path, 'nft', ['delete', 'table', 'inet', policyTable(config.name)], { okCodes: [0, 1] });
  }
  for (const range of serviceRanges(config)) await removeAddresses(range);
  for (const { cidr } of loadBalancerRanges(config))
    await runInNetns(undefined, 'ip', ['route', 'del', cidr, 'dev', 'lo'], { okCodes: [0, 1, 2] });
}

async function removeAddresses({ cidr, apiServer, dns }: ServiceRange): Promise<void> {
  const okCodes = [0, 1, 2];
  await runInNetns(undefined, 'ip', ['route', 'del', cidr, 'dev', 'lo'], { okCodes });
  for (const address of [apiServer, dns])
    await runInNetns(undefined, 'ip', ['addr', 'del', hostPrefix(address), 'dev', 'lo'], { okCodes });
}
