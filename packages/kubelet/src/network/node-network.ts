/** What a node's network needs beside its Pods, and the end of all network of the instance. */
import { existsSync } from 'node:fs';
import { addressIn, ipFamily } from '@podvisor/base';
import {
  type InstanceConfig,
  type InstanceNode,
  ipBatch,
  listLinks,
  netnsPath,
  podCidrs,
  runInNetns,
  writeSysctl,
} from '@podvisor/sys';
import { anycastMac, GATEWAY6 } from '@podvisor/service-network';
import type { KubeletContext } from '../context.ts';
import { removeMachineNetwork } from './machine-network.ts';
import { removeNotedBridges } from './noted-bridges.ts';
import { removePortGuard, setUpPortGuard } from './port-guard.ts';
import { forwardIn, removeWayOut, setUpWayOut } from './way-out.ts';

/** Pods of the node reach each other and the world. Idempotent. */
export async function setUpNodeNetwork(context: KubeletContext): Promise<void> {
  const { config, node, nodeNetns } = context;
  // With several nodes the machine is the way out for all of them: `setUpMachineNetwork`.
  if (nodeNetns !== undefined) await forwardIn(nodeNetns, podCidrs(node));
  else if (config.nodeNetwork === undefined) await setUpWayOut(config.name, podCidrs(config));
  await setUpPodBridge(config, node, nodeNetns);
  await setUpPortGuard(context);
}

/**
 * The Pod bridge of a node. It shows what it carries to nftables, so that policies and Services hold between its
 * Pods, too. Among several nodes, guests come and go with their addresses: it has the same hardware address
 * everywhere and answers for what is behind other nodes.
 */
async function setUpPodBridge(
  { bridge, podCidr, nodeNetwork }: InstanceConfig,
  node: InstanceNode,
  netns: string | undefined,
): Promise<void> {
  const exists = (await listLinks(netns)).some(({ ifname }) => ifname === bridge);
  const hasIpv6 = podCidrs(node).some((cidr) => ipFamily(cidr) === 6);
  await ipBatch(netns, [
    ...(exists ? [] : [`link add name ${bridge} type bridge`]),
    `link set dev ${bridge} address ${anycastMac(podCidr)} up`,
    ...(hasIpv6 ? [`addr replace ${GATEWAY6}/64 dev ${bridge} scope link nodad`] : []),
    ...podCidrs(node).map((cidr) => {
      const { address, prefixLength } = addressIn(cidr, 1);
      return `addr replace ${address}/${prefixLength} dev ${bridge}${ipFamily(cidr) === 6 ? ' nodad' : ''}`;
    }),
  ]);
  // A kernel without br_netfilter has no such attribute: Services then translate more, policies see less.
  const filtered = ['type', 'bridge', 'nf_call_iptables', '1', 'nf_call_ip6tables', '1'];
  await runInNetns(netns, 'ip', ['link', 'set', 'dev', bridge, ...filtered], { okCodes: [0, 1, 2] });
  if (netns === undefined && nodeNetwork === undefined) return;
  await writeSysctl(netns, `net.ipv4.conf.${bridge}.proxy_arp`, '1');
  await writeSysctl(netns, `net.ipv4.neigh.${bridge}.proxy_delay`, '0');
  if (!hasIpv6) return;
  // For addresses that have left; which ones, the keeper of addresses says.
  await writeSysctl(netns, `net.ipv6.conf.${bridge}.proxy_ndp`, '1');
  await writeSysctl(netns, `net.ipv6.neigh.${bridge}.proxy_delay`, '0');
}

/** Leaves no namespace, bridge, cable, route or table of the instance; puts forwarding back. Idempotent. */
export async function restoreHostNetwork(config: InstanceConfig): Promise<void> {
  await removeMachineNetwork(config);
  for (const node of config.nodes) {
    const netns = node.netns === undefined || node.netns.startsWith('/') ? node.netns : netnsPath(node.netns);
    if (netns !== undefined && !existsSync(netns)) continue;
    await runInNetns(netns, 'ip', ['link', 'del', config.bridge], { okCodes: [0, 1] });
    await removePortGuard(config.name, netns);
    await removeNotedBridges(config, node, netns);
  }
  await removeWayOut(config.name);
}
