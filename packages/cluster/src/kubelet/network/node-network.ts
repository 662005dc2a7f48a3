/** What a node's network needs beside its Pods: forwarding and masquerading, noted so that it can be undone. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type InstanceConfig, netnsPath, nftApply, readSysctl, runInNetns, writeSysctl } from '@podvisor/sys';
import type { KubeletContext } from '../context.ts';

const FORWARD = 'net.ipv4.ip_forward';

/** Name of our nft table (family ip). */
export function tableName(instance: string): string {
  return `podvisor-${instance}`;
}

/** Pods reach each other with their own addresses; what leaves all Pod ranges takes the node's address. */
export function masqueradeRules(instance: string, nodePodCidr: string, clusterPodCidr: string): string {
  const table = tableName(instance);
  return `table ip ${table}
delete table ip ${table}
table ip ${table} {
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr ${nodePodCidr} ip daddr != ${clusterPodCidr} ip daddr != 224.0.0.0/4 masquerade
  }
}
`;
}

/** Turns forwarding on and installs the table. Idempotent. */
export async function setUpNodeNetwork(context: KubeletContext): Promise<void> {
  const { config, node, nodeNetns } = context;
  const before = await readSysctl(nodeNetns, FORWARD);
  if (before !== '1') {
    if (nodeNetns === undefined) await noteFormerValue(before);
    await writeSysctl(nodeNetns, FORWARD, '1');
  }
  await nftApply(nodeNetns, masqueradeRules(config.name, node.podCidr, config.podCidr));
}

/** All instances of the machine share the setting, so they share the note. */
const NOTE = '/run/podvisor/ip-forward.before';

async function noteFormerValue(value: string): Promise<void> {
  // The first note is the true one: later we only find what we set ourselves.
  if (existsSync(NOTE)) return;
  await mkdir(dirname(NOTE), { recursive: true });
  await writeFile(NOTE, value);
}

/** Undoes what `setUpNodeNetwork` and the bridge plugin left on the machine: table, bridge, forwarding. */
export async function restoreHostNetwork(config: InstanceConfig): Promise<void> {
  for (const node of config.nodes) {
    const netns = node.netns === undefined || node.netns.startsWith('/') ? node.netns : netnsPath(node.netns);
    if (netns !== undefined && !existsSync(netns)) continue;
    await runInNetns(netns, 'nft', ['delete', 'table', 'ip', tableName(config.name)], { okCodes: [0, 1] });
    await runInNetns(netns, 'ip', ['link', 'del', config.bridge], { okCodes: [0, 1] });
  }
  const { stdout } = await runInNetns(undefined, 'nft', ['list', 'tables', 'ip']);
  const others = stdout.split('\n').some((line) => line.startsWith(`table ip ${tableName('')}`));
  // The last instance that leaves turns off the light.
  if (others || !existsSync(NOTE)) return;
  await writeSysctl(undefined, FORWARD, (await readFile(NOTE, 'utf8')).trim());
  await rm(NOTE);
}
