/** `podvisor cluster install`: virt-operator and a KubeVirt object, and then what they make of the cluster. */
import type { Condition, KubernetesObject, KubeVirt } from '@podvisor/api';
import { backoffMs, isStatus, sleep, systemClock } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import { EMBEDDED_REGISTRY, EMBEDDED_TAG } from '@podvisor/sys';
import { KUBEVIRT_CRD, kubevirtObject, operatorObjects, resourceOf } from '@podvisor/virt-operator';
import pc from 'picocolors';
import { VERSION } from '../../version.ts';
import { type ClusterFlags, clusterClient, kubeconfigFlag } from './access.ts';
import { diagnoseCluster } from './doctor.ts';
import { blockedBy, followKubeVirt, isInstalledFrom, type WantedImages } from './follow-kubevirt.ts';
import { followObject } from './follow-object.ts';
import { tellStuckOperator } from './follow-operator.ts';
import { colouredLines } from '../../output/plain-text.ts';

export interface InstallFlags extends ClusterFlags {
  /** `PREFIX` of `PREFIX/virt-operator:TAG`; absent: the images of a bare home of this machine. */
  readonly registry?: string;
  readonly tag?: string;
  readonly useEmulation: boolean;
  readonly timeout: number;
}

export async function installOnCluster(flags: InstallFlags): Promise<void> {
  const startedAt = Date.now();
  const client = clusterClient(flags);
  const signal = AbortSignal.timeout(flags.timeout * 1000);
  const failed = (await diagnoseCluster(client, signal)).filter(({ level }) => level === 'FAIL');
  if (failed.length > 0)
    throw new Error(
      failed
        .map(({ what, found, fix }) => `${what}: ${found}${fix === undefined ? '' : `; ${fix}`}`)
        .join('\n'),
    );
  const before = await blockedNow(client, signal);
  const images = wantedImages(flags);
  await applyOperator(client, flags.namespace, images);
  await createKubeVirt(client, flags, signal);
  const tell = (line: string): void => console.log(`  ${colouredLines(line)}`);
  const until = (object: KubeVirt | undefined): boolean =>
    object !== undefined && isInstalledFrom(object, images);
  const done = new AbortController();
  tellStuckOperator(client, flags.namespace, tell, AbortSignal.any([signal, done.signal]));
  await followKubeVirt(
    { client, namespace: flags.namespace, tell, until, endsWhenBlocked: { before } },
    signal,
  ).finally(() => done.abort());
  const took = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${pc.green('INSTALLED')} after ${took} s. Next: ./podvisor cluster status${kubeconfigFlag(flags)} ; kubectl apply -f examples/hello.yaml`,
  );
}

/** What stands in the way of an installation that is there already. */
async function blockedNow(client: KubeClient, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { items } = await client.list(resources.kubeVirts, {}, signal);
    return items.map(blockedBy).find((text) => text !== undefined);
  } catch (error) {
    if (isStatus(error, 'NotFound')) return undefined; // nothing of the kind yet
    throw error;
  }
}

function wantedImages({ registry = EMBEDDED_REGISTRY, tag }: InstallFlags): WantedImages {
  return { registry, tag: tag ?? (registry === EMBEDDED_REGISTRY ? EMBEDDED_TAG : VERSION) };
}

async function applyOperator(client: KubeClient, namespace: string, images: WantedImages): Promise<void> {
  const nodes = await client.list(resources.nodes, {});
  const objects = operatorObjects({
    namespace,
    ...images,
    replicas: nodes.items.length > 1 ? 2 : 1,
  });
  let number = 0;
  for (const object of objects) {
    const { name = '', namespace: where } = object.metadata ?? {};
    await client.patch(
      resourceOf(object),
      { namespace: where, name },
      { type: 'apply', body: object, fieldManager: 'podvisor', force: true },
    );
    number += 1;
    console.log(`[${number}/${objects.length}] ${object.kind} ${object.metadata?.name}`);
  }
}

/**
 * Only ever created: once it is there it is the administrator's. It is looked for first, because our own webhook refuses
 * a second one before the API server sees that it is the same.
 */
async function createKubeVirt(client: KubeClient, flags: InstallFlags, signal: AbortSignal): Promise<void> {
  const late = (): string => `gave up waiting; the API server does not serve ${KUBEVIRT_CRD} yet`;
  const resource = resources.customResourceDefinitions;
  await followObject({ client, resource, name: KUBEVIRT_CRD, look: isEstablished, late }, signal);
  const object = kubevirtObject(flags.namespace, flags.useEmulation) as unknown as KubeVirt;
  const { name = '', namespace } = object.metadata ?? {};
  for (let tries = 1; ; tries += 1) {
    try {
      const found = await client.find(resources.kubeVirts, { namespace, name }, signal);
      if (found === undefined)
        await client.create(resources.kubeVirts, object, { fieldManager: 'podvisor' }, signal);
      console.log(
        `KubeVirt ${namespace}/${name} is ${found === undefined ? 'created' : 'there and stays as it is'}`,
      );
      return;
    } catch (error) {
      // Each of several API servers sees the definition in its own time, and none tells when.
      if (!isStatus(error, 'NotFound')) throw error;
      await sleep(systemClock, backoffMs(tries, { firstMs: 100, maxMs: 2_000 }), signal);
    }
  }
}

function isEstablished(definition: KubernetesObject | undefined): boolean {
  const { status } = (definition ?? {}) as {
    readonly status?: { readonly conditions?: readonly Condition[] };
  };
  return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true;
}
