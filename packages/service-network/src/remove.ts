/** Takes away what Services and network policies left on a machine. */
import { existsSync } from 'node:fs';
import { hostPrefix } from '@podvisor/base';
import { type InstanceConfig, runInNetns } from '@podvisor/sys';
import { policyTable } from './policies/ruleset.ts';
import { loadBalancerRanges } from './services/load-balancer-range.ts';
import { serviceNetworks } from './services/machine.ts';
import { type ServiceRange, serviceRanges, serviceTable } from './services/service-range.ts';

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
