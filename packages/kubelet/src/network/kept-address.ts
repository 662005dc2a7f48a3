/**
 * The addresses that a migration target takes over from the Pod in which its guest runs now, so that connections
 * into the guest survive. Found by asking who else belongs to the same VMI; nobody has to write anything down.
 */
import { labels, type Pod } from '@podvisor/api';
import { addressIn, ipFamily, isInPrefix } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { type InstanceNode, podCidrs } from '@podvisor/sys';
import { GATEWAY6 } from '@podvisor/service-network';
import type { KubeletClient } from '../client.ts';

export interface KeptAddress {
  readonly address: string;
  readonly prefixLength: number;
  readonly gateway: string;
  /** Node whose range it is from. */
  readonly home: string;
}

/** The addresses to keep; none: a Pod that takes over from nobody. */
export async function keptAddresses(
  client: Pick<KubeletClient, 'list'>,
  pod: Pod,
  nodes: readonly InstanceNode[],
): Promise<readonly KeptAddress[]> {
  const vmi = pod.metadata.labels?.[labels.createdBy];
  if (vmi === undefined || pod.metadata.labels?.[labels.migrationJobUID] === undefined) return [];
  const { items } = await client.list(resources.pods, {
    namespace: pod.metadata.namespace,
    labelSelector: `${labels.createdBy}=${vmi}`,
  });
  return addressesToKeep(pod, items, nodes);
}

/** Pure. */
export function addressesToKeep(
  pod: Pod,
  siblings: readonly Pod[],
  nodes: readonly Pick<InstanceNode, 'name' | 'podCidr' | 'podCidr6'>[],
): readonly KeptAddress[] {
  const source = siblings.find(
    ({ metadata, status }) =>
      metadata.uid !== pod.metadata.uid && status?.phase === 'Running' && status.podIP !== undefined,
  );
  const addresses = source?.status?.podIPs?.map(({ ip }) => ip) ?? [source?.status?.podIP ?? ''];
  return addresses.flatMap((address) => {
    const homes = nodes.flatMap((node) => podCidrs(node).map((cidr) => ({ name: node.name, cidr })));
    const home = homes.find(({ cidr }) => isInPrefix(address, cidr));
    if (home === undefined) return [];
    // IPv6 has no neighbours there: who is on the range's own node is reached through the gateway, as all others are.
    if (ipFamily(address) === 6) return [{ address, prefixLength: 128, gateway: GATEWAY6, home: home.name }];
    const { address: gateway, prefixLength } = addressIn(home.cidr, 1);
    return [{ address, prefixLength, gateway, home: home.name }];
  });
}
