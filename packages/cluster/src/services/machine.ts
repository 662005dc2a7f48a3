/** What Services need of the machine beside rules: two addresses that it answers at, and a way to the range. */
import { existsSync } from 'node:fs';
import { type InstanceConfig, ipBatch, netnsPath, runInNetns } from '@podvisor/sys';
import { policyTable } from '../policies/ruleset.ts';
import { type ServiceRange, serviceRange, serviceTable } from './service-range.ts';

/** A network in which the service table is kept. */
export interface ServiceNetns {
  /** Path; undefined: the machine's own. */
  readonly path: string | undefined;
  /** The node that it is; undefined: the machine beside its nodes. */
  readonly nodeName: string | undefined;
  readonly podCidr: string | undefined;
}

/** The machine's own network and that of each node with a namespace. */
export function serviceNetworks(config: InstanceConfig): ServiceNetns[] {
  const nodes = config.nodes.map(({ name, podCidr, netns }) => ({
    path: netns === undefined || netns.startsWith('/') ? netns : netnsPath(netns),
    nodeName: name,
    podCidr,
  }));
  if (nodes.some(({ path }) => path === undefined)) return nodes;
  return [{ path: undefined, nodeName: undefined, podCidr: undefined }, ...nodes];
}

/** The API server and DNS can listen at their service addresses afterwards. Idempotent. */
export async function setUpServiceAddresses(config: InstanceConfig): Promise<void> {
  const { cidr, apiServer, dns } = serviceRange(config);
  await ipBatch(undefined, [
    `addr replace ${apiServer}/32 dev lo`,
    `addr replace ${dns}/32 dev lo`,
    // Programs of the machine need some way to the range before translation shows the true one.
    `route replace ${cidr} dev lo src ${apiServer}`,
  ]);
}

/** Leaves no table, address or route of the instance. Idempotent. */
export async function removeServiceNetwork(config: InstanceConfig): Promise<void> {
  for (const { path } of serviceNetworks(config)) {
    if (path !== undefined && !existsSync(path)) continue;
    await runInNetns(path, 'nft', ['delete', 'table', 'ip', serviceTable(config.name)], { okCodes: [0, 1] });
    await runInNetns(path, 'nft', ['delete', 'table', 'inet', policyTable(config.name)], { okCodes: [0, 1] });
  }
  await removeAddresses(serviceRange(config));
}

async function removeAddresses({ cidr, apiServer, dns }: ServiceRange): Promise<void> {
  const okCodes = [0, 1, 2];
  await runInNetns(undefined, 'ip', ['route', 'del', cidr, 'dev', 'lo'], { okCodes });
  for (const address of [apiServer, dns])
    await runInNetns(undefined, 'ip', ['addr', 'del', `${address}/32`, 'dev', 'lo'], { okCodes });
}
