/** What a node's network needs beside its Pods, and the end of all network of the instance. */
import { existsSync } from 'node:fs';
import { type InstanceConfig, netnsPath, runInNetns, writeSysctl } from '@podvisor/sys';
import type { KubeletContext } from '../context.ts';
import { removeMachineNetwork } from './machine-network.ts';
import { removeNotedBridges } from './noted-bridges.ts';
import { FORWARD, removeWayOut, setUpForwarding6, setUpWayOut } from './way-out.ts';

/** Pods of the node reach each other and the world. Idempotent. */
export async function setUpNodeNetwork({ config, node, nodeNetns }: KubeletContext): Promise<void> {
  // With several nodes the machine is the way out for all of them: `setUpMachineNetwork`.
  if (node.podCidr6 !== undefined) await setUpForwarding6();
  if (nodeNetns !== undefined) await writeSysctl(nodeNetns, FORWARD, '1');
  else if (config.nodeNetwork === undefined) await setUpWayOut(config.name, node.podCidr, config.podCidr);
}

/** Leaves no namespace, bridge, cable, route or table of the instance; puts forwarding back. Idempotent. */
export async function restoreHostNetwork(config: InstanceConfig): Promise<void> {
  await removeMachineNetwork(config);
  for (const node of config.nodes) {
    const netns = node.netns === undefined || node.netns.startsWith('/') ? node.netns : netnsPath(node.netns);
    if (netns !== undefined && !existsSync(netns)) continue;
    await runInNetns(netns, 'ip', ['link', 'del', config.bridge], { okCodes: [0, 1] });
    await removeNotedBridges(config, node, netns);
  }
  await removeWayOut(config.name);
}
