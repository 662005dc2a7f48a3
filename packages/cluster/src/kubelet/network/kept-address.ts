/**
 * The address that a migration target takes over from the Pod in which its guest runs now, so that connections
 * into the guest survive. Found by asking who else belongs to the same VMI; nobody has to write anything down.
 */
import { labels, type Pod } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import type { InstanceNode } from '@podvisor/sys';
import { firstAddress, isInCidr } from '../../addresses/cidr.ts';
import type { KubeletClient } from '../client.ts';

export interface KeptAddress {
  readonly address: string;
  readonly prefixLength: string;
  readonly gateway: string;
  /** Node whose range it is from. */
  readonly home: string;
}

/** The address to keep; undefined: a Pod that takes over from nobody. */
export async function keptAddress(
  client: Pick<KubeletClient, 'list'>,
  pod: Pod,
  nodes: readonly InstanceNode[],
): Promise<KeptAddress | undefined> {
  const vmi = pod.metadata.labels?.[labels.createdBy];
  if (vmi === undefined || pod.metadata.labels?.[labels.migrationJobUID] === undefined) return undefined;
  const { items } = await client.list(resources.pods, {
    namespace: pod.metadata.namespace,
    labelSelector: `${labels.createdBy}=${vmi}`,
  });
  return addressToKeep(pod, items, nodes);
}

/** Pure. */
export function addressToKeep(
  pod: Pod,
  siblings: readonly Pod[],
  nodes: readonly Pick<InstanceNode, 'name' | 'podCidr'>[],
): KeptAddress | undefined {
  const source = siblings.find(
    ({ metadata, status }) =>
      metadata.uid !== pod.metadata.uid && status?.phase === 'Running' && status.podIP !== undefined,
  );
  const address = source?.status?.podIP;
  const home = nodes.find(({ podCidr }) => address !== undefined && isInCidr(address, podCidr));
  if (address === undefined || home === undefined) return undefined;
  return {
    address,
    prefixLength: home.podCidr.split('/')[1] ?? '32',
    gateway: firstAddress(home.podCidr),
    home: home.name,
  };
}
