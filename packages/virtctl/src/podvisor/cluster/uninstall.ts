/** `podvisor cluster uninstall`: the KubeVirt object goes, and with it all that it installed; then virt-operator. */
import type { Namespace } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { EMBEDDED_REGISTRY, EMBEDDED_TAG } from '@podvisor/sys';
import { type Manifest, operatorObjects, resourceOf } from '@podvisor/virt-operator';
import pc from 'picocolors';
import { type ClusterFlags, clusterClient, kubeconfigFlag } from './access.ts';
import { followKubeVirt } from './follow-kubevirt.ts';
import { followObject } from './follow-object.ts';
import { findInstalled, othersIn } from './other-kubevirt.ts';
import { colouredLines } from '../../output/plain-text.ts';

export interface UninstallFlags extends ClusterFlags {
  readonly timeout: number;
}

export async function uninstallFromCluster(flags: UninstallFlags): Promise<void> {
  const startedAt = Date.now();
  const client = clusterClient(flags);
  const { namespace } = flags;
  const signal = AbortSignal.timeout(flags.timeout * 1000);
  const others = othersIn(await findInstalled(client, signal));
  if (others !== undefined) throw new Error(`${others}, and is not touched: it is not Podvisor's to remove`);
  const remove = async (object: Manifest): Promise<void> => {
    const { name = '', namespace: where } = object.metadata ?? {};
    try {
      await client.delete(resourceOf(object), { namespace: where, name }, {}, signal);
    } catch (error) {
      if (!isStatus(error, 'NotFound')) throw error;
    }
  };
  const found = await client.list(resources.kubeVirts, { namespace }, signal).catch((error: unknown) => {
    if (isStatus(error, 'NotFound')) return { items: [] };
    throw error;
  });
  for (const { metadata } of found.items) {
    await client.delete(resources.kubeVirts, { namespace, name: metadata?.name ?? '' }, {}, signal);
    const tell = (line: string): void => console.log(`  ${colouredLines(line)}`);
    await followKubeVirt({ client, namespace, tell, until: (object) => object === undefined }, signal);
  }
  const operator = operatorObjects({
    namespace,
    registry: EMBEDDED_REGISTRY,
    tag: EMBEDDED_TAG,
    replicas: 1,
  });
  for (const object of operator.toReversed()) await remove(object);
  // A namespace ends when everything in it has.
  const late = (): string => `gave up waiting; namespace ${namespace} is still ending`;
  const look = (object: Namespace | undefined): boolean => object === undefined;
  await followObject({ client, resource: resources.namespaces, name: namespace, look, late }, signal);
  const took = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${pc.green('UNINSTALLED')} after ${took} s. Next: ./podvisor cluster doctor${kubeconfigFlag(flags)}`,
  );
}
