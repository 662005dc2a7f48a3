/** The network of one Pod: a namespace bound in /run/netns, plugged in by CNI plugins. */
import { existsSync } from 'node:fs';
import type { Pod } from '@podvisor/api';
import { ipFamily } from '@podvisor/base';
import {
  bindUserNamespace,
  type CniResult,
  cniInvoke,
  createNetns,
  netnsPath,
  podCidrs,
  removeNetns,
  writeNetSysctls,
} from '@podvisor/sys';
import { type KubeletContext, podNetnsName, podUserNamespace } from '../context.ts';
import { readPodRecord } from '../pod/records.ts';
import { uidOf } from '../pod/types.ts';
import { detachAll } from './attachments.ts';
import { guardPort, releasePort } from './port-guard.ts';
import { claimAddress, ipamDirectory, networkName, passOnAddresses } from './ipam.ts';
import type { KeptAddress } from './kept-address.ts';

const VERSION = '0.4.0';

function bridgeConfig(
  context: KubeletContext,
  kept: readonly KeptAddress[] = [],
): Readonly<Record<string, unknown>> & { readonly type: string } {
  return {
    cniVersion: VERSION,
    name: networkName(context),
    type: 'bridge',
    bridge: context.config.bridge,
    // An address of another node's range has its gateway there; the bridge answers for it.
    isGateway: kept.length === 0,
    // Our own table masquerades: the plugin's chains would be one per Pod.
    ipMasq: false,
    hairpinMode: true,
    ipam: kept.length === 0 ? ownRange(context) : staticAddresses(kept),
  };
}

function staticAddresses(kept: readonly KeptAddress[]): object {
  return {
    type: 'static',
    addresses: kept.map(({ address, prefixLength, gateway }) => ({
      address: `${address}/${prefixLength}`,
      gateway,
    })),
    routes: kept.map(({ address }) => ({ dst: everywhere(address) })),
  };
}

function ownRange(context: KubeletContext): object {
  const subnets = podCidrs(context.node);
  return {
    type: 'host-local',
    dataDir: ipamDirectory(context),
    ranges: subnets.map((subnet) => [{ subnet }]),
    routes: subnets.map((subnet) => ({ dst: everywhere(subnet) })),
  };
}

/** The default route of the family. */
function everywhere(address: string): string {
  return ipFamily(address) === 6 ? '::/0' : '0.0.0.0/0';
}

/**
 * The Pod's namespace, made if needed; it has no NIC before `plugIn`. With a range of users it is made anew, with the
 * user namespace that owns it.
 */
export async function createPodNetns(
  context: KubeletContext,
  uid: string,
  userRange?: number,
): Promise<string> {
  if (userRange !== undefined)
    await bindUserNamespace(userRange, podUserNamespace(context, uid), podNetnsName(context, uid));
  return await createNetns(podNetnsName(context, uid));
}

/** Path of the Pod's namespace while it exists. */
export function podNetns(context: KubeletContext, uid: string): string | undefined {
  const path = netnsPath(podNetnsName(context, uid));
  return existsSync(path) ? path : undefined;
}

/** Gives the Pod its `eth0` and addresses: of the node's range, or those that its VM has already. */
export async function plugIn(
  context: KubeletContext,
  pod: Pod,
  netns: string,
  kept: readonly KeptAddress[] = [],
): Promise<CniResult> {
  const uid = uidOf(pod);
  for (const { home, address } of kept) claimAddress(context, home, address, uid);
  // As container runtimes do: ports below 1024 need no privilege inside a Pod's own network.
  writeNetSysctls(netns, { 'net.ipv4.ip_unprivileged_port_start': '0' });
  const result = await cniInvoke(context.nodeNetns, {
    command: 'ADD',
    containerId: uid,
    netns,
    ifname: 'eth0',
    config: bridgeConfig(context, kept),
    args: {
      K8S_POD_NAMESPACE: pod.metadata.namespace ?? '',
      K8S_POD_NAME: pod.metadata.name ?? '',
      K8S_POD_UID: uid,
    },
  });
  await guardPort(context, result);
  return result;
}

/** Takes the NIC and the address back and removes the namespace; what is gone already is fine. */
export async function unplug(context: KubeletContext, uid: string): Promise<void> {
  const name = podNetnsName(context, uid);
  const path = netnsPath(name);
  const { nodeNetns } = context;
  await detachAll(context, uid, existsSync(path) ? path : '');
  passOnAddresses(context, uid);
  // Without a namespace DEL still frees the address.
  await cniInvoke(nodeNetns !== undefined && existsSync(nodeNetns) ? nodeNetns : undefined, {
    command: 'DEL',
    containerId: uid,
    netns: existsSync(path) ? path : '',
    ifname: 'eth0',
    config: bridgeConfig(context),
  });
  const network = readPodRecord(context, uid)?.network;
  if (network !== undefined && (nodeNetns === undefined || existsSync(nodeNetns)))
    await releasePort(context, network);
  removeNetns(name);
}

export function addressesOf(result: CniResult | undefined): readonly string[] {
  return (result?.ips ?? []).map(({ address }) => address.split('/', 1).join());
}
