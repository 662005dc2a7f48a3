/** Waits for the parts of the embedded home to be ready, in the order in which they depend on each other. */
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, Lease, Node } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { defineResource, Informer, KubeClient, type Resource, resources } from '@podvisor/kube';
import { quietLog } from '../../quiet-log.ts';

interface ApiService extends KubernetesObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

const apiServices = defineResource<ApiService>(
  'APIService',
  'apiservices',
  'apiregistration.k8s.io/v1',
  'Cluster',
);

/** A part of the home: what it is called, what is seen when it is ready, and how to wait for that. */
export interface Part {
  readonly name: string;
  readonly sight: string;
  wait(signal: AbortSignal): Promise<void>;
}

/** `isBare`: there is nothing that runs VMs. */
export function partsOf(kubeconfig: string, nodes: readonly string[], isBare: boolean): readonly Part[] {
  const client = (): KubeClient => KubeClient.fromKubeconfig(kubeconfig, 'podvisor');
  const apiServer: Part = {
    name: 'control-plane',
    sight: 'API server answers',
    wait: (signal) => apiReady(client, signal),
  };
  if (isBare)
    return [
      apiServer,
      ...nodes.map((node) => ({
        name: `node-agent for ${node}`,
        sight: 'node is ready',
        wait: (signal: AbortSignal) => objectIs(client(), resources.nodes, node, undefined, isReady, signal),
      })),
    ];
  return [
    apiServer,
    {
      name: 'virt-api',
      sight: 'admission and subresources answer',
      wait: (signal) =>
        objectIs(client(), apiServices, 'v1.subresources.kubevirt.io', undefined, isAvailable, signal),
    },
    {
      name: 'virt-controller',
      sight: 'leads',
      wait: (signal) => objectIs(client(), resources.leases, 'virt-controller', 'kubevirt', isHeld, signal),
    },
    ...nodes.map((node) => ({
      name: `virt-handler on ${node}`,
      sight: 'node is ready and takes VMs',
      wait: (signal: AbortSignal) => nodeReady(client(), node, signal),
    })),
  ];
}

/** Resolves when the node is Ready and takes VMs. */
export function nodeReady(client: KubeClient, node: string, signal: AbortSignal): Promise<void> {
  return objectIs(client, resources.nodes, node, undefined, takesVms, signal);
}

/** Resolves when kubelet and virt-handler of the node have given a sign of life after `since` (epoch ms). */
export async function nodeHeard(
  client: KubeClient,
  node: string,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  const isFresh = (lease: Lease): boolean => Date.parse(lease.spec?.renewTime ?? '') >= since;
  await Promise.all([
    objectIs(client, resources.leases, node, 'kube-node-lease', isFresh, signal),
    objectIs(client, resources.leases, `virt-handler-${node}`, 'kubevirt', isFresh, signal),
  ]);
}

function isAvailable(service: ApiService): boolean {
  return service.status?.conditions?.some((c) => c.type === 'Available' && c.status === 'True') ?? false;
}

/** Held by somebody who renewed it lately: a lease left by a former run does not count. */
function isHeld(lease: Lease): boolean {
  const renewed = Date.parse(lease.spec?.renewTime ?? '');
  return (lease.spec?.holderIdentity ?? '') !== '' && Date.now() - renewed < 15_000;
}

export function takesVms(node: Node): boolean {
  return (
    node.metadata.labels?.['kubevirt.io/schedulable'] === 'true' &&
    isReady(node) &&
    parseQuantity(node.status?.allocatable?.['devices.kubevirt.io/tun'] ?? 0).value() > 0
  );
}

function isReady(node: Node): boolean {
  return node.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;
}

async function apiReady(client: () => KubeClient, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await client().raw({ method: 'GET', path: '/readyz' }, signal);
      return;
    } catch {
      // Nobody listens yet and nothing can tell us: the one place where trying again is all there is.
      await delay(50, undefined, { signal });
    }
  }
}

/** Resolves when the object exists and `is` holds, following it by watch. */
async function objectIs<T extends KubernetesObject>(
  client: KubeClient,
  resource: Resource<T>,
  name: string,
  namespace: string | undefined,
  is: (object: T) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const seen = Promise.withResolvers<void>();
  const informer = new Informer<T>({
    client,
    resource,
    fieldSelector: `metadata.name=${name}`,
    log: quietLog,
    ...(namespace === undefined ? {} : { namespace }),
  });
  const look = (object: T): void => {
    if (is(object)) seen.resolve();
  };
  informer.on({ add: look, update: look });
  signal.addEventListener('abort', () => seen.reject(signal.reason as Error), { once: true });
  informer.start(AbortSignal.any([signal, stop.signal]));
  try {
    await seen.promise;
  } finally {
    stop.abort();
  }
}
